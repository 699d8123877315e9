// Parts of `ergon cap`.

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
  made.feedback.at = Seconds{at};
  made.feedback.lasted = Seconds{0.5};
  made.feedback.point = point;
  made.feedback.samples = 617;
  made.feedback.power = Watts{244};
  made.feedback.mean_power = Watts{243.2};
  made.feedback.cap = Watts{250};
  made.next = {next, std::move(reason)};
  return made;
}

TEST(LatencyBound, AcceptsATimeOrAP99Bound) {
  EXPECT_EQ(parse_latency_bound("p99<=50ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("p99 <= 50 ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("50ms").value(), Seconds{0.05});
  for (const char* text :
       {"", "p95<=50ms", "p99<50ms", "p99<=", "p99>=50ms", "<=50ms", "50", "0s", "-5ms", "50W"}) {
    EXPECT_FALSE(parse_latency_bound(text)) << text;
  }
}

TEST(Reach, SelectsTheKnobsOfTheController) {
  EXPECT_EQ(reach_of("joint", kKnobs).batches, kKnobs.batches);
  EXPECT_EQ(reach_of("joint", kKnobs).clocks, kKnobs.clocks);
  EXPECT_EQ(reach_of("batchsizer+", kKnobs).batches, kKnobs.batches);
  EXPECT_EQ(reach_of("batchsizer+", kKnobs).clocks, std::vector{kFast});
  EXPECT_EQ(reach_of("batchsizer", kKnobs).batches, (std::vector<std::int64_t>{1, 2, 4, 16}));
  EXPECT_EQ(reach_of("dvfs", kKnobs).batches, std::vector<std::int64_t>{16});
  EXPECT_EQ(reach_of("dvfs", kKnobs).clocks, kKnobs.clocks);
  EXPECT_TRUE(reach_of("batchsizer", {{1, 2}, {}}).clocks.empty());
}

TEST(Reach, ExplainsWhyACapCannotBeHeld) {
  const SmallSurface truth;
  EXPECT_EQ(why_not_held({"joint", kKnobs, {}}, truth, Watts{105}), std::nullopt);
  EXPECT_EQ(why_not_held({"joint", kKnobs, {}}, truth, Watts{104}),
            "joint cannot hold 104 W: its lowest power is 105.0 W, batch 1 at 500 MHz");
  EXPECT_EQ(why_not_held({"batchsizer", kKnobs, {}}, truth, Watts{109}),
            "batchsizer cannot hold 109 W: its lowest power is 110.0 W, batch 1 at 1000 MHz; joint can");
  EXPECT_EQ(why_not_held({"joint", kKnobs, Seconds{0.5}}, truth, Watts{200}),
            "no point within 200 W meets a latency of 500 ms");
}

TEST(FixedClock, RunsAtTheHighestClock) {
  FixedClockPlant plant(std::make_unique<SmallPlant>(kKnobs));
  EXPECT_TRUE(plant.knobs().clocks.empty());
  EXPECT_EQ(plant.knobs().batches, kKnobs.batches);
  const auto feedback = plant.run({4, {}}, {}).value();
  EXPECT_EQ(feedback.point, (Point{4, {}}));
  EXPECT_EQ(feedback.power, Watts{140});
  EXPECT_EQ(plant.take_power_segments().size(), 1u);
  const FixedClockSurface slow(std::make_shared<SmallSurface>(), kSlow);
  EXPECT_EQ(slow.at({4, {}}).power, Watts{120});
}

TEST(RealTime, RunsAtTheSpeedOfTheClock) {
  ManualClock clock;
  RealTimePlant plant(std::make_unique<SmallPlant>(kKnobs), clock, {});
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(plant.run({1, kFast}, {}));
    EXPECT_NEAR((clock.now() - Instant{}).si(), i, 1e-6);
  }
}

TEST(RealTime, DoesNotSleepAfterStop) {
  ManualClock clock;
  std::stop_source stop;
  stop.request_stop();
  RealTimePlant plant(std::make_unique<SmallPlant>(kKnobs), clock, stop.get_token());
  ASSERT_TRUE(plant.run({1, kFast}, {}));
  EXPECT_EQ(clock.now().ns, 0);
}

TEST(StatusLine, ShowsPowerPointAndThroughput) {
  EXPECT_EQ(status_text(decision(12.34, {37, Hertz{1.41e9}}, {37, {}}, "")),
            "12.3 s: 243 W of 250 W, batch 37, 1410 MHz, 1234 samples/s");
  Decision silent = decision(1, {4, {}}, {4, {}}, "");
  silent.feedback.power = silent.feedback.mean_power = std::nullopt;
  EXPECT_EQ(status_text(silent), "1.0 s: ? W of 250 W, batch 4, 1234 samples/s");
}

TEST(StatusLine, IsRedrawnTenTimesPerSecondAndErased) {
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

TEST(StatusLine, WritesALineEveryFiveSecondsToALog) {
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

TEST(DecisionLog, RoundTrips) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  std::vector<Decision> decisions{
      decision(0.1, {1, kSlow}, {2, kFast}, "243 W: \"headroom\", and more"),
      decision(0.2, {2, {}}, {2, {}}, "no\nchange"),
  };
  decisions[1].feedback.power = std::nullopt;
  decisions[1].feedback.temperature = Celsius{41.5};
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

TEST(DecisionLog, FailsIfTheFileCannotBeCreated) {
  EXPECT_FALSE(DecisionLog::create("/no/such/folder/log.csv"));
}

// Three changes in ten decisions, a hundred times.
report::CapReport oscillating() {
  report::CapReport report;
  report.run.controller = "joint";
  report.run.caps.push_back({Seconds{0}, Watts{250}, "constant", Seconds{0.5}, 1});
  for (int i = 0; i < 1000; ++i) {
    const bool changes = i % 10 < 3;
    report.run.decisions.push_back(
        decision(0.5 * (i + 1), {37, kFast}, {changes ? 38 : 37, kFast},
                 changes ? "243 W: headroom for batch 38 at 1000 MHz at 249 W, throughput +2.3 %"
                         : "243 W: no change"));
  }
  report.summary = control::summary_of(report.run);
  return report;
}

TEST(CapText, FitsIn80Columns) {
  const std::string text = cap_text("title\n", oscillating(), report::TableStyle{});
  std::istringstream in(text);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(lines, 40);
  EXPECT_NE(text.find("\n... and 980 more decisions, 285 of them changes (--log FILE writes all)\n"),
            std::string::npos)
      << text;
}

TEST(CapText, OmitsThePowerFromTheReason) {
  const std::string text = cap_text("title\n", oscillating(), report::TableStyle{});
  EXPECT_NE(text.find("1234  headroom for batch 38"), std::string::npos) << text;
  EXPECT_NE(text.find("1234  no change\n"), std::string::npos) << text;
}

TEST(CapText, OmitsTheShareOfTheOracleIfTheCapWasNotHeld) {
  report::CapReport report = oscillating();
  report.best = control::OraclePoint{{1, kSlow}, {Seconds{1}, Watts{100}}, 100};
  EXPECT_NE(cap_text("", report, report::TableStyle{}).find("% of the oracle"), std::string::npos);
  report.not_held = {"joint cannot hold it"};
  const std::string text = cap_text("", report, report::TableStyle{});
  EXPECT_EQ(text.find("% of the oracle"), std::string::npos);
  EXPECT_NE(text.find("\nwarning: joint cannot hold it\n"), std::string::npos);
}

}  // namespace
}  // namespace ergon::app
