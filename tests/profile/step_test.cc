#include "profile/step.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::profile {
namespace {

graph::Network network_called(const std::string& name) {
  return graph::zoo::build(**graph::zoo::find(name), {}).value();
}

std::int64_t count(const std::vector<Step>& steps, Step::Kind what) {
  return std::count_if(steps.begin(), steps.end(), [&](const Step& step) { return step.kind == what; });
}

TEST(Steps, CoverEveryOperationOnce) {
  for (const char* name : {"resnet50", "vit_b_16", "hf/gpt2", "shufflenet_v2_x1_0", "swin_t", "googlenet"}) {
    const auto network = network_called(name);
    const auto steps = steps_of(network, {graph::Mode::training, false});
    std::multiset<graph::NodeId> taken;
    for (const Step& step : steps) taken.insert(step.nodes.begin(), step.nodes.end());
    std::size_t expected = 0;
    for (graph::NodeId id = 0; id < network.nodes.size(); ++id) {
      if (std::holds_alternative<graph::Input>(network.nodes[id].operation)) continue;
      ++expected;
      EXPECT_EQ(taken.count(id), 1U) << name << " node " << id;
    }
    EXPECT_EQ(taken.size(), expected) << name;
  }
}

TEST(Steps, AreInTopologicalOrder) {
  for (const char* name : {"vit_b_16", "hf/bert_base", "densenet121", "swin_t"}) {
    const auto network = network_called(name);
    std::set<graph::ValueId> there;
    for (const auto& node : network.nodes) {
      if (std::holds_alternative<graph::Input>(node.operation)) there.insert(node.outputs[0]);
    }
    for (const Step& step : steps_of(network, {graph::Mode::inference, false})) {
      for (const auto input : step.inputs) EXPECT_TRUE(there.contains(input)) << name << " " << step.type;
      for (const auto id : step.nodes)
        there.insert(network.nodes[id].outputs.begin(), network.nodes[id].outputs.end());
    }
  }
}

TEST(Steps, AnAttentionIsOneStep) {
  const auto network = network_called("vit_b_16");
  const auto steps = steps_of(network, {graph::Mode::inference, false});
  EXPECT_EQ(count(steps, Step::Kind::attention), 12);
  for (const Step& step : steps) {
    if (step.kind != Step::Kind::attention) continue;
    ASSERT_EQ(step.inputs.size(), 3U);  // queries, keys, values
    // The scaling of the queries and the transpose of the keys are included.
    std::multiset<std::string> kinds;
    for (const auto id : step.nodes)
      kinds.insert(kind_of(network.nodes[id].operation, network.input_shapes(network.nodes[id])));
    EXPECT_EQ(kinds, (std::multiset<std::string>{"matmul", "matmul", "multiply", "softmax", "transpose"}));
    for (const auto input : step.inputs)
      EXPECT_EQ(network.values[input].shape.at(2), (std::vector<std::int64_t>{2, 12, 197, 64}));
    EXPECT_EQ(network.values[step.output].shape.at(2), (std::vector<std::int64_t>{2, 12, 197, 64}));
  }
  // With file content, operations are not fused.
  EXPECT_EQ(count(steps_of(network, {graph::Mode::inference, true}), Step::Kind::attention), 0);
}

TEST(Steps, AnAddedMaskPreventsFusion) {
  EXPECT_EQ(count(steps_of(network_called("swin_t"), {graph::Mode::inference, false}), Step::Kind::attention),
            0);
}

TEST(Steps, TrainingHeadsAreOmittedAtInference) {
  const auto network = network_called("googlenet");
  EXPECT_LT(steps_of(network, {graph::Mode::inference, false}).size(),
            steps_of(network, {graph::Mode::training, false}).size());
}

TEST(Steps, DropoutsCostInTrainingOnly) {
  const auto network = network_called("vgg16");
  const auto dropouts = [&](graph::Mode mode) {
    const auto steps = steps_of(network, {mode, false});
    return std::count_if(steps.begin(), steps.end(), [](const Step& step) {
      return step.type == "dropout" && step.kind == Step::Kind::node;
    });
  };
  EXPECT_EQ(dropouts(graph::Mode::inference), 0);
  EXPECT_EQ(dropouts(graph::Mode::training), 2);
}

TEST(StepNetwork, IsAValidNetwork) {
  for (const char* name : {"resnet50", "vit_b_16", "shufflenet_v2_x1_0", "hf/bert_base"}) {
    const auto network = network_called(name);
    for (const Step& step : steps_of(network, {graph::Mode::training, false})) {
      const auto part = network_of(network, step);
      ASSERT_EQ(part.nodes.size(), step.inputs.size() + step.nodes.size()) << name << " " << step.type;
      const auto bill = graph::network_costs(part, 4, graph::Mode::inference);
      ASSERT_TRUE(bill) << name << " " << step.type << ": " << bill.error().message;
      EXPECT_EQ(part.values[part.outputs[0]].shape, network.values[step.output].shape);
    }
  }
}

// The costs of the steps sum to those of the network.
TEST(StepNetwork, PartsSumToTheWhole) {
  for (const char* name : {"resnet50", "vit_b_16", "hf/gpt2", "mobilenet_v2"}) {
    const auto network = network_called(name);
    std::int64_t macs = 0, parameters = 0;
    for (const Step& step : steps_of(network, {graph::Mode::inference, false})) {
      const auto bill = graph::network_costs(network_of(network, step), 8, graph::Mode::inference).value();
      macs += bill.totals.sum.macs;
      parameters += bill.totals.sum.parameters;
    }
    const auto whole = graph::network_costs(network, 8, graph::Mode::inference).value();
    EXPECT_EQ(macs, whole.totals.sum.macs) << name;
    EXPECT_EQ(parameters, whole.totals.sum.parameters) << name;
  }
}

}  // namespace
}  // namespace ergon::profile
