#include "profile/twin/twin_bench.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"
#include "profile/profiler.h"

namespace ergon::profile {
namespace {

class OnATwin : public testing::TestWithParam<const char*> {};

PlanItem whole(const std::string& name, const RunCondition& condition) {
  PlanItem item;
  auto network = graph::zoo::build(**graph::zoo::find(name), {}).value();
  item.subject = {Subject::Kind::network, network.name, network.name, "", ""};
  item.network = std::make_shared<const graph::Network>(std::move(network));
  item.condition = condition;
  return item;
}

Row measured(TwinBench& bench, const PlanItem& item, const ProfileMethod& method = {}) {
  Profiler profiler(bench, &bench, bench.clock(), method);
  return profiler.settle(profiler.measure(item, {}).value(), {}).value();
}

// The whole pipeline compared with the twin's estimate.
TEST_P(OnATwin, TimeAndPowerMatchTheEstimate) {
  const auto gpu = device::find_device(GetParam()).value();
  const RunCondition condition{32, graph::Mode::inference, device::Precision::fp32, Layout::nchw};
  const PlanItem item = whole("resnet50", condition);
  auto bench = TwinBench::open(gpu, {}, 7).value();
  ProfileMethod method;
  method.time = Seconds{3};
  const Row row = measured(*bench, item, method);
  ASSERT_EQ(row.status, Status::measured) << row.detail;
  EXPECT_TRUE(row.simulated);
  const auto workload =
      device::workload_of(*item.network, condition.batch, condition.mode, condition.precision).value();
  const auto expected = device::estimate(workload, gpu, {}).value();
  // The chip is cooler than in equilibrium: slightly less power and possibly a higher clock.
  EXPECT_NEAR(row.time->si() / expected.state.activity.time.si(), 1, 0.05);
  ASSERT_TRUE(row.power);
  EXPECT_NEAR(row.power->si() / expected.state.power.si(), 1, 0.10);
  ASSERT_TRUE(row.energy);
  EXPECT_NEAR(row.energy->si() / (*row.power * *row.time).si(), 1, 0.03);
  EXPECT_GT(row.readings, 5);
  EXPECT_LE(*row.temperature_before, *row.temperature_after);
}

INSTANTIATE_TEST_SUITE_P(SomeGpus, OnATwin, testing::Values("v100", "a100-sxm-80", "rtx2080ti", "h200"),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(TwinBench, ASlowerClockTakesLonger) {
  auto bench = TwinBench::open(device::find_device("v100").value(), {}).value();
  const PlanItem item = whole("vgg16", {16, graph::Mode::inference, device::Precision::fp32, Layout::nchw});
  const Row fast = measured(*bench, item);
  ASSERT_TRUE(bench->hold_clock(Hertz{800e6}));
  const Row slow = measured(*bench, item);
  EXPECT_GT(slow.time->si(), 1.3 * fast.time->si());
  EXPECT_LT(slow.power->si(), fast.power->si());
  EXPECT_FALSE(bench->hold_clock(Hertz{1}));
}

TEST(TwinBench, ReportsOutOfMemory) {
  auto bench = TwinBench::open(device::find_device("rtx2080ti").value(), {}).value();
  const Row row =
      measured(*bench, whole("vgg16", {4096, graph::Mode::training, device::Precision::fp32, Layout::nchw}));
  EXPECT_EQ(row.status, Status::out_of_memory);
  EXPECT_NE(row.detail.find("needs"), std::string::npos);
}

TEST(TwinBench, AnInputGradientTakesTime) {
  auto bench = TwinBench::open(device::find_device("v100").value(), {}).value();
  ProfileGrid grid;
  grid.batches = {64};
  grid.modes = {graph::Mode::training};
  grid.networks = false;
  auto network = graph::zoo::build(**graph::zoo::find("vgg16"), {}).value();
  auto items = plan({{"vgg16", std::move(network), std::nullopt}}, grid).value().items;
  const auto conv = std::find_if(items.begin(), items.end(), [](const PlanItem& item) {
    return item.subject.name == "conv" && item.input_gradient;
  });
  const Row with = measured(*bench, *conv);
  conv->input_gradient = false;
  EXPECT_GT(with.time->si(), 1.2 * measured(*bench, *conv).time->si());
}

TEST(TwinBench, ReportsUnsupportedOperations) {
  auto bench = TwinBench::open(device::find_device("h200").value(), {}).value();
  PlanItem item = whole("resnet18", {});
  graph::Network network = *item.network;
  for (graph::Node& node : network.nodes) {
    if (!std::holds_alternative<graph::Elementwise>(node.operation)) continue;
    node.operation = graph::Unknown{"com.example", "Strange", {network.values[node.outputs[0]].shape}, true};
  }
  item.network = std::make_shared<const graph::Network>(std::move(network));
  const Row row = measured(*bench, item);
  EXPECT_EQ(row.status, Status::unsupported);
  EXPECT_NE(row.detail.find("com.example.Strange"), std::string::npos);
}

TEST(TwinBench, TheSameSeedGivesTheSameRow) {
  const auto gpu = device::find_device("a40").value();
  const PlanItem item = whole("resnet18", {8, graph::Mode::training, device::Precision::tf32, Layout::nchw});
  const Row a = measured(*TwinBench::open(gpu, {}, 3).value(), item);
  const Row b = measured(*TwinBench::open(gpu, {}, 3).value(), item);
  EXPECT_EQ(a.power->si(), b.power->si());
  EXPECT_EQ(a.energy->si(), b.energy->si());
}

}  // namespace
}  // namespace ergon::profile
