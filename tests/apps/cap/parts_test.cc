// What `ergon cap` is made of, part by part.

#include <sstream>

#include <gtest/gtest.h>

#include "apps/cap/small_plant.h"
#include "cap/cap_settings.h"
#include "cap/cap_text.h"
#include "cap/decision_log.h"
#include "cap/fixed_clock.h"
#include "cap/reach.h"
#include "cap/real_time.h"
#include "cap/status_line.h"
#include "support/temporary_folder.h"
#include "table/csv/read.h"

namespace ergon::app {
namespace {

using control::Decision;
using control::Point;
using test::SmallPlant;
using test::SmallSurface;

const Hertz kSlow{500e6}, kFast{1e9};
const control::Knobs kKnobs{{1, 2, 3, 4, 10, 16, 20}, {kSlow, kFast}};

Decision decision(double at, Point point, Point next, std::string reason) {
  Decision made;
  made.reading.at = Seconds{at};
  made.reading.lasted = Seconds{0.5};
  made.reading.point = point;
  made.reading.samples = 617;
  made.reading.power = Watts{244};
  made.reading.mean_power = Watts{243.2};
  made.reading.cap = Watts{250};
  made.next = {next, std::move(reason)};
  return made;
}

TEST(LatencyBound, IsATimeOrABoundOnIt) {
  EXPECT_EQ(parse_latency_bound("p99<=50ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("p99 <= 50 ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("50ms").value(), Seconds{0.05});
  for (const char* text :
       {"", "p95<=50ms", "p99<50ms", "p99<=", "p99>=50ms", "<=50ms", "50", "0s", "-5ms", "50W"}) {
    EXPECT_FALSE(parse_latency_bound(text)) << text;
  }
}

TEST(Reach, IsWhatTheControllerMayChoose) {
  EXPECT_EQ(reach_of("joint", kKnobs).batches, kKnobs.batches);
  EXPECT_EQ(reach_of("joint", kKnobs).clocks, kKnobs.clocks);
  EXPECT_EQ(reach_of("batchsizer+", kKnobs).batches, kKnobs.batches);
  EXPECT_EQ(reach_of("batchsizer+", kKnobs).clocks, std::vector{kFast});
  EXPECT_EQ(reach_of("batchsizer", kKnobs).batches, (std::vector<std::int64_t>{1, 2, 4, 16}));
  EXPECT_EQ(reach_of("dvfs", kKnobs).batches, std::vector<std::int64_t>{16});
  EXPECT_EQ(reach_of("dvfs", kKnobs).clocks, kKnobs.clocks);
  EXPECT_TRUE(reach_of("batchsizer", {{1, 2}, {}}).clocks.empty());
}

TEST(Reach, TellsWhyACapIsNotHeld) {
  const SmallSurface truth;
  EXPECT_EQ(why_not_held({"joint", kKnobs, {}}, truth, Watts{105}), std::nullopt);
  EXPECT_EQ(why_not_held({"joint", kKnobs, {}}, truth, Watts{104}),
            "joint cannot hold 104 W: the least it can choose is 105.0 W, batch 1 at 500 MHz");
  EXPECT_EQ(
      why_not_held({"batchsizer", kKnobs, {}}, truth, Watts{109}),
      "batchsizer cannot hold 109 W: the least it can choose is 110.0 W, batch 1 at 1000 MHz; joint can");
  EXPECT_EQ(why_not_held({"joint", kKnobs, Seconds{0.5}}, truth, Watts{200}),
            "nothing that stays within 200 W is done in 500 ms");
}

TEST(FixedClock, RunsAtTheHighest) {
  FixedClockPlant plant(std::make_unique<SmallPlant>(kKnobs));
  EXPECT_TRUE(plant.knobs().clocks.empty());
  EXPECT_EQ(plant.knobs().batches, kKnobs.batches);
  const auto reading = plant.run({4, {}}, {}).value();
  EXPECT_EQ(reading.point, (Point{4, {}}));
  EXPECT_EQ(reading.power, Watts{140});
  EXPECT_EQ(plant.passed().size(), 1u);
  const FixedClockSurface slow(std::make_shared<SmallSurface>(), kSlow);
  EXPECT_EQ(slow.at({4, {}}).power, Watts{120});
}

TEST(RealTime, PassesAsFastAsTheClock) {
  ManualClock clock;
  RealTimePlant plant(std::make_unique<SmallPlant>(kKnobs), clock, {});
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(plant.run({1, kFast}, {}));
    EXPECT_NEAR((clock.now() - Instant{}).si(), i, 1e-6);
  }
}

TEST(RealTime, DoesNotSleepOnceStopped) {
  ManualClock clock;
  std::stop_source stop;
  stop.request_stop();
  RealTimePlant plant(std::make_unique<SmallPlant>(kKnobs), clock, stop.get_token());
  ASSERT_TRUE(plant.run({1, kFast}, {}));
  EXPECT_EQ(clock.now().ns, 0);
}

TEST(StatusLine, TellsHowItStands) {
  EXPECT_EQ(status_text(decision(12.34, {37, Hertz{1.41e9}}, {37, {}}, "")),
            "12.3 s: 243 W of 250 W, batch 37, 1410 MHz, 1234/s");
  Decision silent = decision(1, {4, {}}, {4, {}}, "");
  silent.reading.power = silent.reading.mean_power = std::nullopt;
  EXPECT_EQ(status_text(silent), "1.0 s: ? W of 250 W, batch 4, 1234/s");
}

TEST(StatusLine, IsRedrawnTenTimesASecondAndGoesAway) {
  ManualClock clock;
  std::vector<std::string> written;
  {
    StatusLine line(StatusLine::Style::in_place, clock,
                    [&](std::string_view text) { written.emplace_back(text); });
    for (int i = 0; i < 100; ++i) {
      clock.advance(Seconds{0.01});
      line.show(decision(i, {1, {}}, {1, {}}, ""));
    }
  }
  EXPECT_GE(written.size(), 9u);
  EXPECT_LE(written.size(), 11u);
  EXPECT_EQ(written.back(), "\r\x1b[K");
}

TEST(StatusLine, IsALineEveryFiveSecondsInALog) {
  ManualClock clock;
  std::string written;
  StatusLine line(StatusLine::Style::lines, clock, [&](std::string_view text) { written += text; });
  for (int i = 0; i < 110; ++i) {
    clock.advance(Seconds{0.1});
    line.show(decision(i, {1, {}}, {1, {}}, ""));
  }
  line.clear();
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 2);
  EXPECT_EQ(written.find('\r'), std::string::npos);
}

TEST(DecisionLog, ReadsBackAsItWas) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  std::vector<Decision> decisions{
      decision(0.1, {1, kSlow}, {2, kFast}, "243 W leaves \"room\", and more"),
      decision(0.2, {2, {}}, {2, {}}, "stays\nhere"),
  };
  decisions[1].reading.power = std::nullopt;
  decisions[1].reading.temperature = Celsius{41.5};
  {
    auto log = DecisionLog::create(file).value();
    for (const Decision& each : decisions) ASSERT_TRUE(log.add(each));
  }
  const auto read = table::read_csv(file);
  ASSERT_TRUE(read) << read.error().message;
  const auto cell = [&](const char* column, std::size_t row) {
    return (*read->table.column(column).value()).cell(row);
  };
  ASSERT_EQ(read->table.rows(), 2u);
  EXPECT_EQ(read->table.names().size(), 12u);
  EXPECT_EQ(cell("time_seconds", 0), "0.1");
  EXPECT_EQ(cell("batch", 0), "1");
  EXPECT_EQ(cell("clock_hertz", 0), "500000000");
  EXPECT_EQ(cell("clock_hertz", 1), "");
  EXPECT_EQ(cell("power_watts", 0), "244");
  EXPECT_EQ(cell("power_watts", 1), "");
  EXPECT_EQ(cell("mean_power_watts", 0), "243.2");
  EXPECT_EQ(cell("cap_watts", 0), "250");
  EXPECT_EQ(cell("throughput_samples_per_second", 0), "1234");
  EXPECT_EQ(cell("latency_seconds", 0), "");
  EXPECT_EQ(cell("temperature_celsius", 1), "41.5");
  EXPECT_EQ(cell("next_batch", 0), "2");
  EXPECT_EQ(cell("next_clock_hertz", 0), "1000000000");
  EXPECT_EQ(cell("reason", 0), decisions[0].next.reason);
  EXPECT_EQ(cell("reason", 1), decisions[1].next.reason);
}

TEST(DecisionLog, KnowsBeforehandWhereNoFileCanBe) {
  EXPECT_FALSE(DecisionLog::create("/no/such/folder/log.csv"));
}

// Three changes in ten decisions, a hundred times.
report::CapReport restless() {
  report::CapReport report;
  report.run.controller = "joint";
  report.run.caps.push_back({Seconds{0}, Watts{250}, "constant", Seconds{0.5}, 1});
  for (int i = 0; i < 1000; ++i) {
    const bool changes = i % 10 < 3;
    report.run.decisions.push_back(
        decision(0.5 * (i + 1), {37, kFast}, {changes ? 38 : 37, kFast},
                 changes ? "243 W leaves room: batch 38 at 1000 MHz should draw 249 W and bring +2.3 %"
                         : "243 W: stays"));
  }
  report.summary = control::summary_of(report.run);
  return report;
}

TEST(CapText, FitsAScreen) {
  const std::string text = cap_text("title\n", restless(), false);
  std::istringstream in(text);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(lines, 40);
  EXPECT_NE(text.find("\n... and 980 more, 285 of them changes: --log FILE has all\n"), std::string::npos)
      << text;
}

TEST(CapText, LeavesOutThePowerThatStandsBesideAReason) {
  const std::string text = cap_text("title\n", restless(), false);
  EXPECT_NE(text.find("1234  leaves room: batch 38 at"), std::string::npos) << text;
  EXPECT_NE(text.find("1234  stays\n"), std::string::npos) << text;
}

TEST(CapText, SaysWhatWasNotHeldAndNotHowFastItWas) {
  report::CapReport report = restless();
  report.best = control::Best{{1, kSlow}, {Seconds{1}, Watts{100}}, 100};
  EXPECT_NE(cap_text("", report, false).find("% of the best possible"), std::string::npos);
  report.unheld = {"joint cannot hold it"};
  const std::string text = cap_text("", report, false);
  EXPECT_EQ(text.find("% of the best possible"), std::string::npos);
  EXPECT_NE(text.find("\nbeware: joint cannot hold it\n"), std::string::npos);
}

}  // namespace
}  // namespace ergon::app
