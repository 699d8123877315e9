#include "meter/grouped.h"

#include <set>

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
  EXPECT_EQ(all.selected.total.energy, 1500_J);
  ASSERT_TRUE(all.processors);
  EXPECT_EQ(all.processors->total.energy, 300_J);
  EXPECT_FALSE(all.selected.above_idle);
  EXPECT_FALSE(grouped({counted("gpu0", 1000_J)}, 1, {}).processors);
}

TEST(Grouped, SubtractsIdlePowerOfEachDevice) {
  const std::vector<SpanReport> work{counted("gpu0", 1000_J), counted("gpu1", 500_J), counted("cpu0", 300_J)},
      idle{counted("gpu0", 200_J), counted("gpu1", 100_J), counted("cpu0", 50_J)};
  const auto all = grouped(work, 2, idle);
  EXPECT_NEAR(all.selected.total.energy.si(), 1500, 1e-9) << "the total stays";
  ASSERT_TRUE(all.selected.above_idle && all.processors->above_idle);
  const AboveIdle& above = *all.selected.above_idle;
  EXPECT_NEAR(above.net.energy.si(), 1200, 1e-9);
  EXPECT_NEAR(all.processors->above_idle->net.energy.si(), 250, 1e-9);
  EXPECT_NEAR(above.idle_power.si(), 30, 1e-9) << "without the processor";
  EXPECT_NEAR(above.idle.si(), 300, 1e-9);
  EXPECT_NEAR((above.net.energy + above.idle).si(), all.selected.total.energy.si(), 1e-9);
  EXPECT_NEAR((above.idle_deviation * 10_s).si(), above.uncertainty.si(), 1e-9);
  EXPECT_GT(above.uncertainty, 0_J);
  EXPECT_TRUE(above.distinguishable());
}

// `sleep`: the energy above idle is noise around 0.
TEST(Grouped, EnergyNearIdleIsNotDistinguishable) {
  const auto noisy = [](Joules energy, Joules deviation) {
    SpanReport report = counted("gpu0", energy);
    report.energy.variance = deviation * deviation;
    return std::vector{report};
  };
  const auto near = grouped(noisy(249_J, 2_J), 1, noisy(250_J, 2_J));
  ASSERT_TRUE(near.selected.above_idle);
  EXPECT_FALSE(near.selected.above_idle->distinguishable());
  EXPECT_FALSE(near.selected.above_idle->below_idle());
  // The validity is that of the readings, which are good, whatever the difference is.
  EXPECT_TRUE(near.selected.total.valid());
  EXPECT_TRUE(near.selected.above_idle->net.valid()) << near.selected.above_idle->net.reasons[0].text;
  EXPECT_TRUE(grouped(noisy(200_J, 2_J), 1, noisy(250_J, 2_J)).selected.above_idle->below_idle());
  EXPECT_TRUE(grouped(noisy(300_J, 2_J), 1, noisy(250_J, 2_J)).selected.above_idle->distinguishable());
}

SpanReport shared(SpanReport report, std::set<std::int64_t> other_processes) {
  report.device_state.other_processes = std::move(other_processes);
  return report;
}

std::vector<std::string> texts(const std::vector<Reason>& reasons) {
  std::vector<std::string> texts;
  for (const Reason& reason : reasons) texts.push_back(reason.code + ": " + reason.text);
  return texts;
}

// The energy above idle depends on both windows, the one in total on its own only.
TEST(Grouped, EnergyAboveInvalidIdlePowerIsNotValid) {
  const SpanReport work = counted("gpu0", 1000_J), idle = counted("gpu0", 250_J);
  const auto group = [](const SpanReport& during, const SpanReport& before) {
    return grouped({during}, 1, std::vector{before}).selected;
  };
  using Texts = std::vector<std::string>;
  const DeviceGroup disturbed = group(work, shared(idle, {4711}));
  EXPECT_TRUE(disturbed.total.valid());
  EXPECT_EQ(texts(disturbed.above_idle->idle_reasons),
            Texts{"other_process: gpu0: also used by process 4711"});
  EXPECT_FALSE(disturbed.above_idle->net.valid());
  EXPECT_EQ(texts(disturbed.above_idle->net.reasons),
            Texts{"idle_other_process: before the command: gpu0: also used by process 4711"});

  const DeviceGroup during = group(shared(work, {12}), idle);
  EXPECT_TRUE(during.above_idle->idle_reasons.empty());
  EXPECT_EQ(texts(during.above_idle->net.reasons), Texts{"other_process: gpu0: also used by process 12"});

  const DeviceGroup both = group(shared(work, {12}), shared(idle, {4711}));
  EXPECT_EQ(texts(both.total.reasons), Texts{"other_process: gpu0: also used by process 12"});
  EXPECT_EQ(texts(both.above_idle->net.reasons),
            (Texts{"other_process: gpu0: also used by process 12",
                   "idle_other_process: before the command: gpu0: also used by process 4711"}));
}

// Idle power of the processors does not affect the GPUs, and the reverse.
TEST(Grouped, InvalidIdlePowerAffectsItsOwnGroup) {
  const std::vector<SpanReport> work{counted("gpu0", 1000_J), counted("cpu0", 300_J)};
  const auto all =
      grouped(work, 1, std::vector{shared(counted("gpu0", 250_J), {4711}), counted("cpu0", 50_J)});
  EXPECT_FALSE(all.selected.above_idle->net.valid());
  EXPECT_TRUE(all.processors->above_idle->net.valid());
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
