#include "report/measure_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/measure_json.h"

namespace ergon::report {
namespace {

using namespace ergon::literals;
using meter::GroupedMeasurement;
using meter::SpanReport;

// Ten seconds of an energy counter with this noise.
SpanReport counter_report(const char* device, Joules energy, Joules deviation) {
  SpanReport report;
  report.device.id = device;
  report.begin = Instant{} + 5_s;
  report.end = Instant{} + 15_s;
  report.energy = {energy, deviation * deviation};
  report.highest = energy / 10_s;
  report.samples = 100;
  report.counted = energy;
  return report;
}

GroupedMeasurement measured_with(Joules work, std::optional<Joules> idle) {
  std::optional<std::vector<SpanReport>> before;
  if (idle) before = {counter_report("gpu0", *idle, 2_J)};
  return meter::grouped({counter_report("gpu0", work, 2_J)}, 1, before);
}

std::string measure_text_of(const GroupedMeasurement& measurement) {
  return measurement_text(measurement, {});
}

bool names(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(MeasureText, WithoutIdlePowerThereIsOneEnergy) {
  const std::string text = measure_text_of(measured_with(1000_J, std::nullopt));
  EXPECT_TRUE(text.starts_with("energy      1000 J +- ")) << text;
  EXPECT_FALSE(names(text, "idle")) << text;
}

TEST(MeasureText, EnergyIdleAndAboveIdleAreLabeled) {
  const std::string text = measure_text_of(measured_with(1000_J, 250_J));
  EXPECT_TRUE(names(text, "\nenergy      1000 J +- ") || text.starts_with("energy      1000 J +- ")) << text;
  EXPECT_TRUE(names(text, "\nidle        250 J +- ")) << text;
  EXPECT_TRUE(names(text, " in the same time (25.0 W +- ")) << text;
  EXPECT_TRUE(names(text, "\nabove idle  750 J +- ")) << text;
  // The columns of the table: gross values, and the net one with its name.
  EXPECT_TRUE(names(text, "above idle\n")) << text;
  EXPECT_TRUE(names(text, "1 kJ")) << text;
}

TEST(MeasureText, EnergyNearIdleIsNotAShare) {
  const std::string near = measure_text_of(measured_with(249_J, 250_J));
  EXPECT_TRUE(names(near, "\nabove idle  not distinguishable from 0 (-1.0 J +- 5.5 J)\n")) << near;
  EXPECT_FALSE(names(near, "of the energy")) << near;
  EXPECT_TRUE(names(near, "\nvalid       yes\n")) << near;
  const std::string below = measure_text_of(measured_with(200_J, 250_J));
  EXPECT_TRUE(names(below, "\nabove idle  none: -50.0 J +- ")) << below;
  EXPECT_TRUE(names(below, ", less than idle before the command\n")) << below;
}

// An RTX 2080 Ti near idle. Its sensor reads 5.7 W low, its counter as low as its power readings.
TEST(MeasureText, ReadingsAndCounterAreBesideTheirDifference) {
  SpanReport report = counter_report("gpu0", 120_J, 2_J);
  report.sensor.emplace();
  report.sensor->gain = 0.966;
  report.sensor->offset = -5.7_W;
  report.integrated = 121.2_J;
  const std::string text = measure_text_of(meter::grouped({report}, 1, std::nullopt));
  EXPECT_TRUE(names(text, "energy  from readings  counter  difference\n")) << text;
  EXPECT_TRUE(names(text, " 183.2 J        121.2 J    120 J     +1.00 %\n")) << text;
  EXPECT_TRUE(names(text, "\nfrom readings, counter: without the correction of gain and offset\n")) << text;
  report.integrated = 0_J;
  const std::string unread = measure_text_of(meter::grouped({report}, 1, std::nullopt));
  EXPECT_TRUE(names(unread, " 183.2 J              -    120 J           -\n")) << unread;
  report.sensor->gain = 1;
  report.sensor->offset = 0_W;
  EXPECT_FALSE(names(measure_text_of(meter::grouped({report}, 1, std::nullopt)), "without the correction"));
}

// Another process used the GPU before the command.
GroupedMeasurement measured_above_disturbed_idle() {
  SpanReport before = counter_report("gpu0", 250_J, 2_J);
  before.device_state.other_processes = {4711};
  return meter::grouped({counter_report("gpu0", 1000_J, 2_J)}, 1, std::vector{before});
}

TEST(MeasureText, InvalidIdlePowerIsNotValid) {
  const std::string text = measure_text_of(measured_above_disturbed_idle());
  EXPECT_TRUE(
      names(text, "\nvalid       no\n            idle_other_process: before the command: gpu0: also used by"))
      << text;
  EXPECT_FALSE(names(text, "note")) << text;
  EXPECT_TRUE(names(measure_text_of(measured_with(1000_J, 250_J)), "\nvalid       yes\n"));
}

TEST(MeasureText, SaysWhyProcessorsAreNotValid) {
  SpanReport stopped = counter_report("cpu0", 50_J, 1_J);
  stopped.counter_stopped = true;
  const auto with = [](const SpanReport& during, const SpanReport& before) {
    return measure_text_of(meter::grouped({counter_report("gpu0", 1000_J, 2_J), during}, 1,
                                          std::vector{counter_report("gpu0", 250_J, 2_J), before}));
  };
  const SpanReport counting = counter_report("cpu0", 100_J, 1_J);
  const std::string before = with(counting, stopped), during = with(stopped, counting);
  EXPECT_TRUE(names(before, "not valid: idle_counter_disagrees: before the command: cpu0:")) << before;
  EXPECT_TRUE(names(during, "not valid: counter_disagrees: cpu0:")) << during;
  EXPECT_TRUE(names(before, "\nvalid       yes\n")) << before << "that of the GPU";
  EXPECT_FALSE(names(with(counting, counting), "not valid"));
}

TEST(MeasureJson, InvalidIdlePowerIsNotValid) {
  const auto body = group_json(measured_above_disturbed_idle().selected);
  EXPECT_EQ(body["valid"], false);
  EXPECT_EQ(body["reasons"].dump(),
            R"(["idle_other_process: before the command: gpu0: also used by process 4711"])");
  EXPECT_EQ(body["idle"]["reasons"].dump(), R"(["other_process: gpu0: also used by process 4711"])");
  EXPECT_EQ(body["gross"]["valid"], true);
  EXPECT_EQ(body["gross"]["reasons"].dump(), "[]");
  const auto undisturbed = group_json(measured_with(1000_J, 250_J).selected);
  EXPECT_EQ(undisturbed["valid"], true);
  EXPECT_EQ(undisturbed["reasons"].dump(), "[]");
}

TEST(MeasureJson, NetAndGrossAreSeparate) {
  const auto net = group_json(measured_with(249_J, 250_J).selected);
  EXPECT_NEAR(net["energy_joules"].get<double>(), -1, 1e-9);
  EXPECT_NEAR(net["gross"]["energy_joules"].get<double>(), 249, 1e-9);
  EXPECT_NEAR(net["idle"]["energy_joules"].get<double>(), 250, 1e-9);
  EXPECT_NEAR(net["idle"]["power_watts"].get<double>(), 25, 1e-9);
  EXPECT_EQ(net["idle_power_watts"], net["idle"]["power_watts"]);
  EXPECT_EQ(net["idle"]["distinguishable"], false);
  EXPECT_EQ(group_json(measured_with(1000_J, 250_J).selected)["idle"]["distinguishable"], true);
  const auto gross = group_json(measured_with(249_J, std::nullopt).selected);
  EXPECT_NEAR(gross["energy_joules"].get<double>(), 249, 1e-9);
  for (const char* const absent : {"idle", "gross", "idle_power_watts"})
    EXPECT_TRUE(gross[absent].is_null()) << absent;
}

}  // namespace
}  // namespace ergon::report
