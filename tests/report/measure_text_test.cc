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
