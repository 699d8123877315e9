#include "calibrate/fit.h"

#include <gtest/gtest.h>

#include "calibrate/fit_parameter.h"
#include "device/twin/catalog.h"
#include "device/twin/parameters.h"
#include "device/twin/steady_state.h"

namespace ergon::calibrate {
namespace {

using namespace literals;

device::Specification gpu(const std::string& name) { return device::find_device(name).value(); }

// Power at many clocks computed by a twin with a known voltage: the fit must recover the voltage.
TEST(Fit, RecoversTheVoltageOfSyntheticData) {
  device::Specification truth = gpu("h200");
  truth.voltage = {1400_MHz, 1.25};
  MeasuredTables measured;
  measured.tables = {"made up"};
  Application program{"h200", "made up", "program", {}};
  for (double mhz = 500; mhz <= 1950; mhz += 50) {
    const Hertz clock{mhz * 1e6};
    const Watts idle = device::resident_power(truth, clock, 45_degC);
    program.points.push_back({clock, std::nullopt, idle + 300_W * truth.relative_dynamic_power(clock)});
  }
  measured.applications.push_back(program);
  const auto fits = fit_all(measured, {{"h200", gpu("h200")}}, [](const std::string&) {});
  ASSERT_TRUE(fits);
  ASSERT_EQ(fits->size(), 1U);
  EXPECT_NEAR((*fits)[0].gpu.voltage.knee.si(), 1400e6, 40e6);
  EXPECT_NEAR((*fits)[0].gpu.voltage.ratio_at_max, 1.25, 0.02);
}

TEST(Fit, StopsWhenRequested) {
  std::stop_source stop;
  stop.request_stop();
  const auto fits = fit_all(
      {}, {{"h200", gpu("h200")}}, [](const std::string&) {}, stop.get_token());
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().kind, Errc::cancelled);
}

// A clock sweep is enough if the table of training under power limits is missing.
TEST(Fit, WorksWithOneOfTwoTables) {
  MeasuredTables measured;
  measured.tables = {"sweep"};
  Application program{"v100", "sweep", "program", {}};
  for (const double mhz : {510.0, 705.0, 945.0, 1200.0, 1380.0})
    program.points.push_back({Hertz{mhz * 1e6}, Seconds{1e3 / mhz}, Watts{30 + mhz / 10}, 1, 0.2});
  measured.applications.push_back(program);
  const auto fits = fit_all(measured, {{"v100", gpu("v100")}}, [](const std::string&) {});
  ASSERT_TRUE(fits);
  ASSERT_EQ(fits->size(), 1U);
  EXPECT_EQ((*fits)[0].gpu.fitted, std::vector<std::string>{"program"});
}

// Held-out applications must not influence the fit.
TEST(Fit, HoldsOutEveryOtherApplication) {
  MeasuredTables measured;
  measured.tables = {"sweep"};
  for (const char* name : {"d", "b", "a", "c"}) {
    measured.applications.push_back({"h100", "sweep", name, {}});
    for (const double mhz : {600.0, 1200.0, 1800.0})
      measured.applications.back().points.push_back({Hertz{mhz * 1e6}, std::nullopt, Watts{100 + mhz / 10}});
  }
  const auto fits = fit_all(measured, {{"h100", gpu("h100")}}, [](const std::string&) {});
  ASSERT_TRUE(fits);
  ASSERT_EQ(fits->size(), 1U);
  EXPECT_EQ((*fits)[0].gpu.fitted, (std::vector<std::string>{"a", "c"}));
}

TEST(Fit, LeavesATwinWithoutTablesUnchanged) {
  const auto fits = fit_all({}, {{"h200", gpu("h200")}, {"a30", gpu("a30")}}, [](const std::string&) {});
  ASSERT_TRUE(fits);
  EXPECT_TRUE(fits->empty());
}

TEST(Fit, CopiesParametersOfRelatedTwinsWithoutTables) {
  const auto fits = fit_all({}, {{"v100", gpu("v100")}, {"v100s", gpu("v100s")}}, [](const std::string&) {});
  ASSERT_TRUE(fits);
  for (const Fit& fit : *fits) {
    if (fit.gpu.name != "v100s") continue;
    EXPECT_EQ(fit.inherited_from.at("power.plain_pj_per_flop"), "v100");
    // The slope of V(f) is kept up to the higher clock.
    EXPECT_GT(fit.gpu.voltage.ratio_at_max, gpu("v100").voltage.ratio_at_max);
    return;
  }
  FAIL();
}

TEST(DeviceFile, AnUpdateIsReadBackAndNamesItsSources) {
  Fit fit;
  fit.gpu = gpu("h200");
  fit.gpu.fitted = {"resnet50"};
  fit.gpu.power.busy = 123.456_W;
  fit.gpu.kernels.norm = 0.4321;
  fit.fitted_paths = {"power.busy_w", "memory.bandwidth_over_clock"};
  fit.inherited_from = {{"kernels.norm_share", "a30"}};
  std::string_view text;
  for (const auto& [name, file] : device::device_files()) {
    if (name == "h200") text = file;
  }
  const std::set<device::RunKind> kinds{{graph::Mode::inference, device::Precision::bf16, true},
                                        {graph::Mode::training, device::Precision::tf32, false}};
  const std::vector<TwinAccuracy> accuracy_by_table{
      {"h200", "networks_infer", "power", 3, 4, 0.05, 0.0612345, kinds},
      {"a30", "networks", "power", 3, 4, 0.05, 0.06}};
  const std::string updated = updated_file(text, fit, accuracy_by_table);
  const auto back = device::parse_specification(updated, "updated");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_NEAR(back->power.busy.si(), 123.5, 1e-9);
  EXPECT_NEAR(back->kernels.norm, 0.4321, 1e-9);
  EXPECT_EQ(back->fitted, fit.gpu.fitted);
  ASSERT_EQ(back->residuals.size(), 1U);
  EXPECT_NEAR(back->residuals[0].mape_held_out, 0.061235, 1e-9);
  EXPECT_EQ(back->residuals[0].kinds_held_out, kinds);
  EXPECT_NE(updated.find("\"busy_w\": [123.5, \"fit\"]"), std::string::npos);
  EXPECT_NE(updated.find("\"norm_share\": [0.4321, \"as a30\"]"), std::string::npos);
  EXPECT_TRUE(back->sources.contains("as a30"));
  // All other parameters are unchanged, to four digits.
  for (const device::Parameter& each : device::parameters()) {
    if (each.path != "power.busy_w" && each.path != "kernels.norm_share") {
      EXPECT_NEAR(each.read(*back), each.read(gpu("h200")), 1e-3 * each.read(gpu("h200"))) << each.path;
    }
  }
}

TEST(FitParameter, KeepsTheBandwidthCurveIncreasing) {
  device::Specification v100 = gpu("v100");
  for (const FitParameter& each : bandwidth_parameters(v100)) each.set(v100, 0.5);
  const auto& points = v100.memory.over_clock.points;
  for (std::size_t i = 1; i < points.size(); ++i)
    EXPECT_NEAR(points[i - 1].share / points[i].share, 0.5, 1e-9);
}

}  // namespace
}  // namespace ergon::calibrate
