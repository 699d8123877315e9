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
  std::size_t unpaired_checkpoints = 0;
  std::uint64_t duplicates = 0;
};

PairingOutcome paired(std::vector<Checkpoint> rows, const Pairing::PairingRules& rules = {}) {
  Pairing pairing(rules);
  std::vector<Event> events;
  pairing.take(rows, events);
  pairing.end();
  PairingOutcome outcome{{}, pairing.unpaired_checkpoints().size(), pairing.duplicates()};
  for (const Event& each : events)
    outcome.events.emplace_back(each.start.ns / 1'000'000'000, each.stop.ns / 1'000'000'000);
  std::sort(outcome.events.begin(), outcome.events.end());
  return outcome;
}

using Spans = std::vector<std::pair<int, int>>;

TEST(Pairing, TakesRowsInAnyOrder) {
  const auto outcome = paired({edge(9, false), edge(5, true), edge(3, false), edge(1, true)});
  EXPECT_EQ(outcome.events, (Spans{{1, 3}, {5, 9}}));
  EXPECT_EQ(outcome.unpaired_checkpoints, 0U);
}

TEST(Pairing, ALostStopInvalidatesOneEvent) {
  const auto outcome =
      paired({edge(1, true), edge(5, true), edge(8, false), edge(10, true), edge(12, false)});
  EXPECT_EQ(outcome.events, (Spans{{5, 8}, {10, 12}}));
  EXPECT_EQ(outcome.unpaired_checkpoints, 1U);
}

TEST(Pairing, ALostStartInvalidatesOneEvent) {
  const auto outcome = paired({edge(3, false), edge(5, true), edge(8, false)});
  EXPECT_EQ(outcome.events, (Spans{{5, 8}}));
  EXPECT_EQ(outcome.unpaired_checkpoints, 1U);
}

TEST(Pairing, DuplicatesCountOnceUnlessTheyAreKept) {
  const std::vector<Checkpoint> rows{edge(1, true), edge(1, true), edge(4, false), edge(4, false)};
  const auto once = paired(rows);
  EXPECT_EQ(once.events, (Spans{{1, 4}}));
  EXPECT_EQ(once.duplicates, 2U);
  EXPECT_EQ(once.unpaired_checkpoints, 0U);
  Pairing::PairingRules keep;
  keep.keep_duplicates = true;
  const auto twice = paired(rows, keep);
  EXPECT_EQ(twice.events, (Spans{{1, 4}, {1, 4}}));
  EXPECT_EQ(twice.duplicates, 2U);
}

TEST(Pairing, AStopClosesAnEarlierStartFirst) {
  const auto outcome = paired({edge(1, true), edge(4, true), edge(4, false), edge(6, false)});
  EXPECT_EQ(outcome.events, (Spans{{1, 4}, {4, 6}}));
}

TEST(Pairing, AnEventMayHaveDurationZero) {
  EXPECT_EQ(paired({edge(4, false), edge(4, true)}).events, (Spans{{4, 4}}));
}

TEST(Pairing, NestedEventsOfOneNameCloseInnermostFirst) {
  EXPECT_EQ(paired({edge(1, true), edge(2, true), edge(3, false), edge(9, false)}).events,
            (Spans{{1, 9}, {2, 3}}));
}

TEST(Pairing, TasksAndEventsDoNotMix) {
  const auto outcome = paired({edge(1, true, 1, 0), edge(2, true, 2, 0), edge(3, true, 1, 1),
                               edge(4, false, 2, 0), edge(5, false, 1, 1), edge(6, false, 1, 0)});
  EXPECT_EQ(outcome.events, (Spans{{1, 6}, {2, 4}, {3, 5}}));
}

TEST(Pairing, EventsAboveTheMaximumDurationAreNotPaired) {
  Pairing::PairingRules rules;
  rules.max_event = Seconds{10};
  const auto outcome = paired({edge(1, true), edge(12, false), edge(20, true), edge(30, false)}, rules);
  EXPECT_EQ(outcome.events, (Spans{{20, 30}}));
  EXPECT_EQ(outcome.unpaired_checkpoints, 2U);
}

TEST(Pairing, MarksStartsThatMayStillBeRunning) {
  Pairing pairing({});
  std::vector<Checkpoint> rows{edge(1, true, 1), edge(2, true, 2), edge(3, false, 2), edge(4, true, 3)};
  std::vector<Event> events;
  pairing.take(rows, events);
  EXPECT_EQ(pairing.earliest_open(Timestamp{4'000'000'000}), (Timestamp{1'000'000'000}));
  pairing.end();
  ASSERT_EQ(pairing.unpaired_checkpoints().size(), 2U);
  for (const UnpairedCheckpoint& each : pairing.unpaired_checkpoints())
    EXPECT_EQ(each.running, each.task == 3) << each.task;
}

// Events that were open at the end of the log, from the outermost to the innermost.
TEST(Pairing, NestedEventsMayAllBeRunning) {
  Pairing pairing({});
  std::vector<Checkpoint> rows{edge(1, true, 1, 0), edge(2, false, 1, 0), edge(3, true, 2, 0),
                               edge(4, true, 2, 1)};
  std::vector<Event> events;
  pairing.take(rows, events);
  pairing.end();
  ASSERT_EQ(pairing.unpaired_checkpoints().size(), 2U);
  for (const UnpairedCheckpoint& each : pairing.unpaired_checkpoints()) EXPECT_TRUE(each.running);
}

// The result is the same whether a START expires earlier or at the end.
TEST(Pairing, RunningEventsDoNotDependOnTheSteps) {
  Pairing::PairingRules rules;
  rules.max_event = Seconds{10};
  for (const bool early : {false, true}) {
    Pairing pairing(rules);
    std::vector<Checkpoint> rows{edge(1, true)};
    std::vector<Event> events;
    pairing.take(rows, events);
    if (early) pairing.earliest_open(Timestamp{100'000'000'000});
    pairing.end();
    ASSERT_EQ(pairing.unpaired_checkpoints().size(), 1U);
    EXPECT_TRUE(pairing.unpaired_checkpoints()[0].running);
  }
}

TEST(Pairing, StartsExpireAfterTheMaximumDuration) {
  Pairing::PairingRules rules;
  rules.max_event = Seconds{10};
  Pairing pairing(rules);
  std::vector<Checkpoint> rows{edge(1, true)};
  std::vector<Event> events;
  pairing.take(rows, events);
  EXPECT_FALSE(pairing.earliest_open(Timestamp{12'000'000'000}));
  EXPECT_EQ(pairing.unpaired_checkpoints().size(), 1U);
}

}  // namespace
}  // namespace ergon::fleet
