#include "profile/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"

namespace ergon::profile {
namespace {

LoadedNetwork candidate(const std::string& name) {
  auto network = graph::zoo::build(**graph::zoo::find(name), {}).value();
  return {network.name, std::move(network), std::nullopt};
}

std::vector<PlanItem> items_of(const std::vector<LoadedNetwork>& candidates, const ProfileGrid& grid) {
  return plan(candidates, grid).value().items;
}

TEST(Plan, HasEveryKeyOnce) {
  ProfileGrid grid;
  grid.batches = {1, 8};
  grid.modes = {graph::Mode::inference, graph::Mode::training};
  grid.precisions = {device::Precision::tf32, device::Precision::bf16};
  grid.repeats = 2;
  const auto made = plan({candidate("resnet18"), candidate("resnet34")}, grid).value();
  std::set<Key> keys;
  for (const PlanItem& item : made.items) EXPECT_TRUE(keys.insert(item.key("D")).second) << item.subject.name;
  EXPECT_EQ(made.compositions.size(), 8U);
  const auto networks = std::count_if(made.items.begin(), made.items.end(), [](const PlanItem& item) {
    return item.subject.kind == Subject::Kind::network;
  });
  EXPECT_EQ(networks, 2 * 2 * 2 * 2 * 2);
}

// Without a precision each network is measured in that of its file, and shared operations in each.
TEST(Plan, DefaultPrecisionIsThatOfTheNetwork) {
  LoadedNetwork half = candidate("resnet18");
  half.name = "half";
  for (graph::Node& node : half.network.nodes) {
    for (graph::Weight& weight : node.weights) weight.type = graph::ElementType::float16;
  }
  const auto made = plan({candidate("resnet18"), half}, {}).value();
  std::map<std::string, std::set<device::Precision>> precisions;
  for (const PlanItem& item : made.items) precisions[item.subject.id].insert(item.condition.precision);
  EXPECT_EQ(precisions["resnet18"], std::set{device::Precision::tf32});
  EXPECT_EQ(precisions["half"], std::set{device::Precision::fp16});
  precisions.erase("resnet18");
  precisions.erase("half");
  for (const auto& [id, both] : precisions)
    EXPECT_EQ(both, (std::set{device::Precision::tf32, device::Precision::fp16})) << id;
}

TEST(Plan, MeasuresSharedOperationsOnce) {
  ProfileGrid grid;
  grid.networks = false;
  const auto one = plan({candidate("resnet18")}, grid).value();
  const auto both = plan({candidate("resnet18"), candidate("resnet34")}, grid).value();
  // The deeper network consists of the same operations.
  EXPECT_EQ(one.items.size(), both.items.size());
}

TEST(Plan, CompositionsCountEveryStepThatRuns) {
  const auto network = candidate("resnet50");
  const auto made = plan({network}, {}).value();
  ASSERT_EQ(made.compositions.size(), 1U);
  std::map<std::string, std::string> kinds;
  for (const PlanItem& item : made.items) kinds[item.subject.id] = item.subject.name;
  std::map<std::string, std::int64_t> counts;
  for (const auto& part : made.compositions[0].parts) counts[kinds.at(part.operation)] += part.count;
  EXPECT_EQ(counts["conv"], 53);
  EXPECT_EQ(counts["batch_norm"], 53);
  EXPECT_EQ(counts["relu"], 49);
  EXPECT_EQ(counts["add"], 16);
  EXPECT_EQ(counts["dense"], 1);
}

TEST(Plan, SelectsOperationTypes) {
  ProfileGrid grid;
  grid.operation_types = {"conv", "dense"};
  const auto made = plan({candidate("resnet18")}, grid).value();
  std::set<std::string> kinds;
  for (const PlanItem& item : made.items) {
    if (item.subject.kind == Subject::Kind::operation) kinds.insert(item.subject.name);
  }
  EXPECT_EQ(kinds, grid.operation_types);
  // The composition does not change.
  const auto whole = plan({candidate("resnet18")}, {}).value();
  EXPECT_EQ(made.compositions[0].parts.size(), whole.compositions[0].parts.size());
  grid.operation_types = {"conv", "attention"};
  EXPECT_EQ(plan({candidate("resnet18")}, grid).error().message,
            "no operation of type \"attention\" in these networks");
  grid.operation_types = {"cnv"};
  EXPECT_EQ(plan({candidate("resnet18")}, grid).error().message,
            "no operation of type \"cnv\" in these networks (did you mean \"conv\"?)");
}

TEST(Plan, OrderDependsOnTheSeed) {
  ProfileGrid grid;
  const auto ids = [&](std::uint64_t seed) {
    grid.seed = seed;
    std::vector<std::string> all;
    for (const PlanItem& item : items_of({candidate("resnet18")}, grid)) all.push_back(item.subject.id);
    return all;
  };
  EXPECT_EQ(ids(1), ids(1));
  EXPECT_NE(ids(1), ids(2));
  auto a = ids(1), b = ids(2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
}

TEST(Plan, TheFirstConvolutionNeedsNoGradientAtItsInput) {
  ProfileGrid grid;
  grid.modes = {graph::Mode::training};
  grid.networks = false;
  int without = 0;
  for (const PlanItem& item : items_of({candidate("resnet18")}, grid)) {
    if (item.input_gradient) continue;
    ++without;
    EXPECT_EQ(item.subject.name, "conv");
    EXPECT_EQ(item.subject.inputs, "1x3x224x224");
    EXPECT_NE(item.subject.attributes.find("input_gradient=no"), std::string::npos);
  }
  EXPECT_EQ(without, 1);
}

TEST(Plan, LayoutDependsOnThePrecision) {
  ProfileGrid grid;
  grid.operations = false;
  grid.precisions = {device::Precision::tf32, device::Precision::bf16};
  for (const PlanItem& item : items_of({candidate("resnet18")}, grid)) {
    EXPECT_EQ(item.condition.layout,
              item.condition.precision == device::Precision::bf16 ? Layout::nhwc : Layout::nchw);
  }
  grid.layout = Layout::nhwc;
  for (const PlanItem& item : items_of({candidate("resnet18")}, grid))
    EXPECT_EQ(item.condition.layout, Layout::nhwc);
}

TEST(Plan, DoesNotDependOnTheOrderOfModesAndPrecisions) {
  using device::Precision;
  using graph::Mode;
  ProfileGrid grid;
  grid.batches = {8, 1, 8};
  grid.modes = {Mode::training, Mode::inference, Mode::training};
  grid.precisions = {Precision::bf16, Precision::fp32, Precision::bf16};
  grid.clocks = {Hertz{9e8}, std::nullopt, Hertz{9e8}};
  const ProfileGrid once = normalized(grid);
  EXPECT_EQ(once.batches, (std::vector<std::int64_t>{8, 1}));
  EXPECT_EQ(once.modes, (std::vector{Mode::inference, Mode::training}));
  EXPECT_EQ(once.precisions, (std::vector{Precision::fp32, Precision::bf16}));
  EXPECT_EQ(once.clocks, (std::vector<std::optional<Hertz>>{Hertz{9e8}, std::nullopt}));
}

}  // namespace
}  // namespace ergon::profile
