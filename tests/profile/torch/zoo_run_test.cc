// Networks node by node: every tensor has the shape of the network.

#include "graph/cost.h"
#include "graph/zoo/zoo.h"
#include "run_nodes.h"

namespace ergon::profile::torch {
namespace {

using namespace graph;

std::int64_t macs_of(const Network& network) {
  std::int64_t macs = 0;
  for (const Node& node : network.nodes) {
    if (const auto costs = cost_of(network, node, {})) macs += costs->macs;
  }
  return macs;
}

TEST(ZooRun, SmallNetworks) {
  constexpr std::int64_t kMost = 1'500'000'000;
  int ran = 0;
  for (const zoo::Entry& entry : zoo::entries()) {
    const auto network = zoo::build(entry);
    ASSERT_TRUE(network) << entry.name;
    if (macs_of(*network) > kMost) continue;
    SCOPED_TRACE(entry.family + "/" + entry.name);
    NodeRun run{*network};
    run.random = false;
    run.in_place = true;
    ASSERT_TRUE(run.run()) << run.failure->message;
    ++ran;
  }
  EXPECT_GT(ran, 20);
}

TEST(ZooRun, EveryNodeOfEveryNetworkHasAKernel) {
  for (const zoo::Entry& entry : zoo::entries()) {
    const auto network = zoo::build(entry);
    ASSERT_TRUE(network) << entry.name;
    for (const Node& node : network->nodes) {
      const NodeView view{*network, node, nullptr, 4, Mode::training};
      const auto kernel = kernel_of(view);
      EXPECT_TRUE(kernel) << entry.name << ": " << kernel.error().message;
      EXPECT_TRUE(weights_for(view)) << entry.name;
    }
  }
}

// Large networks with small inputs.
struct Small {
  const char* name;
  zoo::BuildOptions wish;
};

Network built(const Small& small) {
  const auto entry = zoo::find(small.name);
  EXPECT_TRUE(entry) << small.name;
  auto network = zoo::build(**entry, small.wish);
  EXPECT_TRUE(network) << small.name;
  return std::move(*network);
}

zoo::BuildOptions pixels(std::int64_t size) { return {size, std::nullopt}; }
zoo::BuildOptions tokens(std::int64_t sequence) { return {std::nullopt, sequence}; }

TEST(ZooRun, LargeNetworksWithSmallInputs) {
  const Small all[] = {{"torchvision/resnet50", pixels(64)},
                       {"torchvision/vit_b_32", pixels(64)},
                       {"torchvision/swin_t", pixels(64)},
                       {"torchvision/swin_v2_t", pixels(64)},
                       {"torchvision/convnext_base", pixels(64)},
                       {"torchvision/inception_v3", {}},
                       {"keras/inceptionresnetv2", pixels(139)},
                       {"slim/resnet_v2_50", pixels(64)},
                       {"darknet/yolov4-tiny", pixels(96)},
                       {"bit/m-r50x1", pixels(64)},
                       {"hf/distilbert", tokens(8)},
                       {"hf/gpt2", tokens(8)}};
  for (const Small& small : all) {
    SCOPED_TRACE(small.name);
    const Network network = built(small);
    NodeRun run(network);
    run.random = false;
    run.batch = 2;
    run.in_place = true;
    ASSERT_TRUE(run.run()) << run.failure->message;
  }
}

TEST(ZooRun, InPlaceGivesTheSameResult) {
  const Small all[] = {{"torchvision/resnet18", pixels(64)},
                       {"torchvision/densenet121", pixels(64)},
                       {"torchvision/shufflenet_v2_x1_0", pixels(64)},
                       {"torchvision/mobilenet_v3_small", pixels(64)},
                       {"torchvision/swin_t", pixels(64)}};
  for (const Small& small : all) {
    SCOPED_TRACE(small.name);
    const Network network = built(small);
    NodeRun apart(network);
    const graph::ValueId input = network.nodes[0].outputs[0];
    apart.inputs[input] = at::randn(network.values[input].shape.at(1));
    ASSERT_TRUE(apart.run());
    NodeRun over(network);
    over.in_place = true;
    over.inputs = apart.inputs;
    over.weights = apart.weights;
    ASSERT_TRUE(over.run());
    EXPECT_TRUE(over.output().equal(apart.output()));
  }
}

TEST(ZooRun, SmallNetworksTrain) {
  const Small all[] = {{"torchvision/squeezenet1_1", pixels(64)},
                       {"torchvision/mobilenet_v3_small", pixels(64)},
                       {"torchvision/shufflenet_v2_x1_0", pixels(64)},
                       {"torchvision/resnet18", pixels(64)},
                       {"torchvision/efficientnet_b0", pixels(64)},
                       {"torchvision/densenet121", pixels(64)},
                       {"torchvision/googlenet", {}},
                       {"torchvision/swin_t", pixels(64)},
                       {"torchvision/swin_v2_t", pixels(64)},
                       {"keras/mobilenet", pixels(64)},
                       {"caffe/alexnet", {}}};
  for (const Small& small : all) {
    SCOPED_TRACE(small.name);
    const Network network = built(small);
    NodeRun run(network);
    run.batch = 2;
    run.mode = Mode::training;
    run.in_place = true;
    ASSERT_TRUE(run.run()) << run.failure->message;
    at::Tensor loss = run.output().sum();
    for (std::size_t i = 1; i < network.outputs.size(); ++i) loss = loss.add(run.output(i).sum());
    loss.backward();
    std::size_t without = 0;
    for (std::size_t i = 0; i < run.plans.size(); ++i) {
      without += run.plans[i].trainable && !run.weights[i].grad().defined();
    }
    // Training-only heads are not outputs of the network.
    const bool heads = std::ranges::any_of(network.layers, &Layer::training_only);
    EXPECT_TRUE(heads || without == 0) << without;
  }
}

}  // namespace
}  // namespace ergon::profile::torch
