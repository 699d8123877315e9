// What a controller is given before a run: plants, priors and true surfaces.

#include <gtest/gtest.h>

#include "control/surfaces/oracle.h"
#include "control/targets/gpu_target.h"
#include "control/targets/trace_target.h"
#include "control/targets/twin_target.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"

namespace ergon::control {
namespace {

constexpr const char* kTable = ERGON_REPOSITORY "/data/reference/h200/networks_infer.csv";

TEST(TargetSettings, OpenArrivalsHalveTheTimeOfABatch) {
  TargetSettings settings;
  EXPECT_FALSE(settings.batch_latency());
  EXPECT_FALSE(settings.arrivals().open());
  settings.latency = Seconds{0.05};
  EXPECT_EQ(settings.batch_latency(), Seconds{0.05});
  settings.arrival_rate = 100;
  EXPECT_EQ(settings.batch_latency(), Seconds{0.025});
  EXPECT_TRUE(settings.arrivals().open());
}

TEST(TwinTarget, TheBoardDiffersFromThePrior) {
  const auto network = graph::zoo::build(**graph::zoo::find("resnet18"), {}).value();
  const auto nominal = device::find_device("v100").value();
  TargetSettings settings;
  settings.batches = {1, 8, 64};
  const Target target = twin_target(network, nominal, settings).value();
  EXPECT_EQ(target.description, "resnet18, tf32, on v100 (simulated board, seed 1)");
  EXPECT_EQ(target.plant->knobs().batches, settings.batches);
  EXPECT_EQ(target.plant->knobs().clocks.size(), 24u);
  EXPECT_EQ(target.max_power, nominal.limit.max);
  EXPECT_TRUE(target.remarks.empty());
  const Point point{64, target.plant->knobs().clocks.back()};
  EXPECT_NE(target.prior->at(point).power, target.truth->at(point).power);
}

TEST(TwinTarget, DropsBatchesThatDoNotFit) {
  const auto network = graph::zoo::build(**graph::zoo::find("vgg16"), {}).value();
  TargetSettings settings;
  settings.batches = {1, 1 << 20};
  settings.may_set_clock = false;
  const Target target = twin_target(network, device::find_device("v100").value(), settings).value();
  EXPECT_EQ(target.plant->knobs().batches, std::vector<std::int64_t>{1});
  EXPECT_TRUE(target.plant->knobs().clocks.empty());
  ASSERT_EQ(target.remarks.size(), 1u);
  EXPECT_EQ(target.remarks[0], "v100 does not have enough memory for batches above 1");
}

TEST(TraceTarget, ReplaysATable) {
  const Target target = trace_target(kTable, "resnet50", {}).value();
  EXPECT_EQ(target.kind, TargetKind::trace);
  EXPECT_EQ(target.network, "resnet50");
  EXPECT_FALSE(target.device);
  EXPECT_FALSE(target.prior);
  const auto best = oracle(*target.truth, target.plant->knobs(), target.max_power);
  EXPECT_TRUE(best.within_cap);
  EXPECT_LT(best.best.there.power, target.max_power);
}

TEST(TraceTarget, RejectsBatchesThatWereNotMeasured) {
  TargetSettings settings;
  settings.batches = {1, 1000};
  const auto target = trace_target(kTable, "resnet50", settings);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().message, "--batch 1000: resnet50 was measured from batch 1 to 256");
}

TEST(TwinOfProduct, IsTheTwinWithTheLongestMatchingName) {
  EXPECT_EQ(twin_of_product("NVIDIA GeForce RTX 2080 Ti")->name, "rtx2080ti");
  EXPECT_EQ(twin_of_product("NVIDIA H200")->name, "h200");
  EXPECT_EQ(twin_of_product("Tesla V100S-PCIE-32GB")->name, "v100s") << "not v100";
  EXPECT_FALSE(twin_of_product("GeForce 256"));
  EXPECT_FALSE(twin_of_product(""));
}

}  // namespace
}  // namespace ergon::control
