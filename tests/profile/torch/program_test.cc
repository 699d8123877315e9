// A compiled program with fusion and in-place operations gives the results of its single nodes.

#include "profile/torch/program.h"

#include "graph/zoo/zoo.h"
#include "profile/step.h"
#include "profile/torch/instance.h"
#include "run_nodes.h"

namespace ergon::profile::torch {
namespace {

graph::Network network_called(const std::string& name, std::optional<std::int64_t> size = {}) {
  return graph::zoo::build(**graph::zoo::find(name), {size, std::nullopt}).value();
}

struct Compared {
  at::Tensor plain, compiled;
};

// Same weights and inputs in both cases. Attention scales by 1/8, as for heads of 64.
Compared both_ways(const graph::Network& network, std::int64_t batch, Layout layout = Layout::nchw) {
  NodeRun nodes{network};
  nodes.batch = batch;
  const RunCondition condition{batch, graph::Mode::inference, device::Precision::fp32, layout};
  const auto program = Program::compile(network, nullptr, condition).value();
  const TensorConfig making{at::kCPU, condition};
  const c10::InferenceMode guard;
  const auto weights = make_weights(program, making);
  const auto inputs = make_inputs(program, making);
  nodes.weights = weights;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    nodes.inputs[program.inputs()[i].value] = inputs[i].clone(at::MemoryFormat::Contiguous);
  EXPECT_TRUE(nodes.run());

  Registers registers = program.registers();
  registers.weights = &weights;
  for (std::size_t i = 0; i < inputs.size(); ++i) registers.values[program.inputs()[i].value] = inputs[i];
  program.run(registers);
  for (graph::ValueId value = 0; value < registers.values.size(); ++value) {
    const auto& kept = program.outputs();
    const bool wanted = std::find(kept.begin(), kept.end(), value) != kept.end();
    EXPECT_EQ(registers.values[value].defined(), wanted) << "value " << value << " outlives its last reader";
  }
  return {nodes.output(), registers.values[network.outputs[0]]};
}

void expect_close(const Compared& both) {
  ASSERT_EQ(both.plain.sizes(), both.compiled.sizes());
  const double largest = both.plain.abs().max().item<double>();
  ASSERT_GT(largest, 0);
  EXPECT_LT(both.plain.sub(both.compiled).abs().max().item<double>(), 1e-3 * largest);
}

TEST(Program, DoesNotOverwriteValuesWithReaders) {
  expect_close(both_ways(network_called("resnet18", 64), 2));
  expect_close(both_ways(network_called("mobilenet_v2", 64), 2));
  expect_close(both_ways(network_called("densenet121", 64), 1));
  expect_close(both_ways(network_called("shufflenet_v2_x1_0", 64), 2));
}

// The input of a relu is read again, directly and through a view.
TEST(Program, KeepsValuesThatAreReadTwice) {
  using graph::Combine;
  graph::Builder b("torchvision", "twice");
  const auto input = b.input("input", "Input", graph::Shape::image_of(3, 8, 8));
  graph::Convolution conv{graph::Window::square(3, 1, 1), 4};
  const auto x = b.add("x", "Conv2d", conv, {input});
  const auto y = b.add("y", "ReLU", graph::Elementwise{graph::Function::relu}, {x});
  const auto z = b.add("z", "Add", graph::Arithmetic{Combine::multiply}, {y, x});
  const auto v = b.add("v", "Conv2d", conv, {z});
  const auto seen = b.add("seen", "Identity", graph::Identity{}, {v});
  const auto w = b.add("w", "ReLU", graph::Elementwise{graph::Function::relu}, {v});
  const auto out = b.add("out", "Add", graph::Arithmetic{Combine::subtract}, {w, seen});
  const auto network = b.finish({out}).value();
  expect_close(both_ways(network, 2));
}

TEST(Program, FusedAttentionGivesTheSameResult) {
  for (const char* name : {"vit_b_16", "hf/gpt2", "hf/bert_base"}) {
    const auto network = network_called(name);
    const auto steps = steps_of(network, {graph::Mode::inference, false});
    const auto found = std::find_if(steps.begin(), steps.end(),
                                    [](const Step& step) { return step.kind == Step::Kind::attention; });
    ASSERT_NE(found, steps.end()) << name;
    // The mask adds a constant to all scores, which softmax ignores.
    expect_close(both_ways(network_of(network, *found), 2));
  }
}

TEST(Program, ChannelsLastGivesTheSameResult) {
  expect_close(both_ways(network_called("resnet18", 64), 2, Layout::nhwc));
  expect_close(both_ways(network_called("efficientnet_b0", 64), 1, Layout::nhwc));
}

TEST(Program, TrainingHeadsHaveOutputs) {
  const auto network = network_called("googlenet");
  const auto outputs = [&](graph::Mode mode) {
    return Program::compile(network, nullptr, {2, mode, device::Precision::fp32, Layout::nchw})
        ->outputs()
        .size();
  };
  EXPECT_EQ(outputs(graph::Mode::inference), 1U);
  EXPECT_EQ(outputs(graph::Mode::training), 3U);
}

TEST(Program, NamesAllUnsupportedOperations) {
  graph::Network network = network_called("resnet18", 64);
  int left = 2;
  for (graph::Node& node : network.nodes) {
    if (!std::holds_alternative<graph::Elementwise>(node.operation) || left == 0) continue;
    const graph::Shape shape = network.values[node.outputs[0]].shape;
    node.operation = graph::Unknown{"com.example", left-- == 2 ? "Strange" : "Stranger", {shape}, true};
  }
  const auto program = Program::compile(network, nullptr, {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, Errc::unsupported);
  EXPECT_NE(program.error().message.find("com.example.Strange:"), std::string::npos);
  EXPECT_NE(program.error().message.find("com.example.Stranger:"), std::string::npos);
}

}  // namespace
}  // namespace ergon::profile::torch
