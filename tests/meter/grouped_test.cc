#include "meter/grouped.h"

#include <gtest/gtest.h>

#include "meter/accelerated_clock.h"
#include "meter/at.h"
#include "meter/plain_device.h"
#include "meter/trace_csv.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

// Ten seconds of an energy counter.
SpanReport counted(const char* device, Joules energy) {
  SpanReport report;
  report.device.id = device;
  report.begin = at(5_s);
  report.end = at(15_s);
  report.energy = {energy, {}};
  report.highest = energy / 10_s;
  report.samples = 100;
  return report;
}

TEST(Grouped, SeparatesProcessors) {
  const auto all = grouped({counted("gpu0", 1000_J), counted("gpu1", 500_J), counted("cpu0", 300_J)}, 2, {});
  EXPECT_EQ(all.selected.energy, 1500_J);
  ASSERT_TRUE(all.processors);
  EXPECT_EQ(all.processors->energy, 300_J);
  EXPECT_FALSE(all.idle);
  EXPECT_FALSE(grouped({counted("gpu0", 1000_J)}, 1, {}).processors);
}

TEST(Grouped, SubtractsIdlePowerOfEachDevice) {
  const std::vector<SpanReport> work{counted("gpu0", 1000_J), counted("gpu1", 500_J), counted("cpu0", 300_J)},
      idle{counted("gpu0", 200_J), counted("gpu1", 100_J), counted("cpu0", 50_J)};
  const auto all = grouped(work, 2, idle);
  EXPECT_NEAR(all.selected.energy.si(), 1200, 1e-9);
  EXPECT_NEAR(all.processors->energy.si(), 250, 1e-9);
  ASSERT_TRUE(all.idle);
  EXPECT_NEAR(all.idle->si(), 30, 1e-9) << "without the processor";
}

TEST(TraceCsv, HasEveryReading) {
  SystemClock clock;
  PlainDevice gpu(clock, 200_W);
  const auto meter = Meter::start({&gpu}, clock, {.keep_readings = true}).value();
  const Instant begin = clock.now();
  const auto reports = reports_over(*meter, 0.2_s, clock, {}).value();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_GE(reports[0].end - reports[0].begin, 0.2_s);
  const std::string text = trace_csv(*meter, begin);
  EXPECT_TRUE(text.starts_with("time_seconds,device,field,power_watts,simulated\n")) << text;
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 1 + reports[0].samples);
}

}  // namespace
}  // namespace ergon::meter
