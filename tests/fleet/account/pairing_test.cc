#include "fleet/account/pairing.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

constexpr std::uint64_t kTask = 7;

Checkpoint edge(std::int64_t seconds, bool start, std::uint64_t task = kTask, std::uint16_t event = 0) {
  Checkpoint row;
  row.at = {seconds * 1'000'000'000};
  row.task = task;
  row.event = event;
  row.start = start;
  return row;
}

struct PairingOutcome {
  std::vector<std::pair<int, int>> events;  // from, to, in seconds, by start
  std::size_t leftovers = 0;
  std::uint64_t duplicates = 0;
};

PairingOutcome paired(std::vector<Checkpoint> rows, const Pairing::Rules& rules = {}) {
  Pairing pairing(rules);
  std::vector<Event> events;
  pairing.take(rows, events);
  pairing.end();
  PairingOutcome outcome{{}, pairing.leftovers().size(), pairing.duplicates()};
  for (const Event& each : events)
    outcome.events.emplace_back(each.start.ns / 1'000'000'000, each.stop.ns / 1'000'000'000);
  std::sort(outcome.events.begin(), outcome.events.end());
  return outcome;
}

using Spans = std::vector<std::pair<int, int>>;

TEST(Pairing, TakesRowsInAnyOrder) {
  const auto outcome = paired({edge(9, false), edge(5, true), edge(3, false), edge(1, true)});
  EXPECT_EQ(outcome.events, (Spans{{1, 3}, {5, 9}}));
  EXPECT_EQ(outcome.leftovers, 0U);
}

TEST(Pairing, ALostStopSpoilsOneEvent) {
  const auto outcome =
      paired({edge(1, true), edge(5, true), edge(8, false), edge(10, true), edge(12, false)});
  EXPECT_EQ(outcome.events, (Spans{{5, 8}, {10, 12}}));
  EXPECT_EQ(outcome.leftovers, 1U);
}

TEST(Pairing, ALostStartSpoilsOneEvent) {
  const auto outcome = paired({edge(3, false), edge(5, true), edge(8, false)});
  EXPECT_EQ(outcome.events, (Spans{{5, 8}}));
  EXPECT_EQ(outcome.leftovers, 1U);
}

TEST(Pairing, EqualRowsCountOnceUnlessTheyAreKept) {
  const std::vector<Checkpoint> rows{edge(1, true), edge(1, true), edge(4, false), edge(4, false)};
  const auto once = paired(rows);
  EXPECT_EQ(once.events, (Spans{{1, 4}}));
  EXPECT_EQ(once.duplicates, 2U);
  EXPECT_EQ(once.leftovers, 0U);
  Pairing::Rules keep;
  keep.keep_duplicates = true;
  const auto twice = paired(rows, keep);
  EXPECT_EQ(twice.events, (Spans{{1, 4}, {1, 4}}));
  EXPECT_EQ(twice.duplicates, 2U);
}

TEST(Pairing, AStopEndsWhatBeganEarlierBeforeAStartOfTheSameMoment) {
  const auto outcome = paired({edge(1, true), edge(4, true), edge(4, false), edge(6, false)});
  EXPECT_EQ(outcome.events, (Spans{{1, 4}, {4, 6}}));
}

TEST(Pairing, AnEventMayTakeNoTime) {
  EXPECT_EQ(paired({edge(4, false), edge(4, true)}).events, (Spans{{4, 4}}));
}

TEST(Pairing, NestedEventsOfOneNameCloseFromWithin) {
  EXPECT_EQ(paired({edge(1, true), edge(2, true), edge(3, false), edge(9, false)}).events,
            (Spans{{1, 9}, {2, 3}}));
}

TEST(Pairing, TasksAndEventsDoNotMix) {
  const auto outcome = paired({edge(1, true, 1, 0), edge(2, true, 2, 0), edge(3, true, 1, 1),
                               edge(4, false, 2, 0), edge(5, false, 1, 1), edge(6, false, 1, 0)});
  EXPECT_EQ(outcome.events, (Spans{{1, 6}, {2, 4}, {3, 5}}));
}

TEST(Pairing, WhatTakesTooLongIsNone) {
  Pairing::Rules rules;
  rules.longest = Seconds{10};
  const auto outcome = paired({edge(1, true), edge(12, false), edge(20, true), edge(30, false)}, rules);
  EXPECT_EQ(outcome.events, (Spans{{20, 30}}));
  EXPECT_EQ(outcome.leftovers, 2U);
}

TEST(Pairing, SaysWhatMayStillBeRunning) {
  Pairing pairing({});
  std::vector<Checkpoint> rows{edge(1, true, 1), edge(2, true, 2), edge(3, false, 2), edge(4, true, 3)};
  std::vector<Event> events;
  pairing.take(rows, events);
  EXPECT_EQ(pairing.earliest_open(Timestamp{4'000'000'000}), (Timestamp{1'000'000'000}));
  pairing.end();
  ASSERT_EQ(pairing.leftovers().size(), 2U);
  for (const Leftover& each : pairing.leftovers()) EXPECT_EQ(each.running, each.task == 3) << each.task;
}

// What was under way when the log was cut, from the outermost to the innermost.
TEST(Pairing, NestedEventsMayAllBeRunning) {
  Pairing pairing({});
  std::vector<Checkpoint> rows{edge(1, true, 1, 0), edge(2, false, 1, 0), edge(3, true, 2, 0),
                               edge(4, true, 2, 1)};
  std::vector<Event> events;
  pairing.take(rows, events);
  pairing.end();
  ASSERT_EQ(pairing.leftovers().size(), 2U);
  for (const Leftover& each : pairing.leftovers()) EXPECT_TRUE(each.running);
}

// Whether it was given up while time went on elsewhere, or at the end, makes no difference.
TEST(Pairing, HowTimeIsCutDoesNotChangeWhatMayBeRunning) {
  Pairing::Rules rules;
  rules.longest = Seconds{10};
  for (const bool early : {false, true}) {
    Pairing pairing(rules);
    std::vector<Checkpoint> rows{edge(1, true)};
    std::vector<Event> events;
    pairing.take(rows, events);
    if (early) pairing.earliest_open(Timestamp{100'000'000'000});
    pairing.end();
    ASSERT_EQ(pairing.leftovers().size(), 1U);
    EXPECT_TRUE(pairing.leftovers()[0].running);
  }
}

TEST(Pairing, GivesUpWhatIsTooOldToEnd) {
  Pairing::Rules rules;
  rules.longest = Seconds{10};
  Pairing pairing(rules);
  std::vector<Checkpoint> rows{edge(1, true)};
  std::vector<Event> events;
  pairing.take(rows, events);
  EXPECT_FALSE(pairing.earliest_open(Timestamp{12'000'000'000}));
  EXPECT_EQ(pairing.leftovers().size(), 1U);
}

}  // namespace
}  // namespace ergon::fleet
