// Every operation type runs and gives tensors with the shapes and types of the network.

#include "profile/torch/kernel.h"

#include "operation_cases.h"

namespace ergon::profile::torch {
namespace {

using namespace graph;

void expect_runs(const Case& one, std::int64_t batch, Mode mode) {
  SCOPED_TRACE(one.name);
  const Network network = network_of(one.operation, one.inputs, one.types);
  NodeRun run{network};
  run.batch = batch;
  run.mode = mode;
  ASSERT_TRUE(run.run()) << run.failure->message;
  if (mode == Mode::inference) return;
  const at::Tensor& result = run.output();
  if (!result.requires_grad()) return;
  result.sum().backward();
  for (std::size_t i = 0; i < run.plans.size(); ++i) {
    EXPECT_TRUE(!run.plans[i].trainable || run.weights[i].grad().defined()) << "weight " << i;
  }
}

TEST(Kernel, EveryOperationHasTheShapesOfTheNetwork) {
  for (const Case& one : all_operations()) {
    expect_runs(one, 1, Mode::inference);
    expect_runs(one, 3, Mode::inference);
  }
}

TEST(Kernel, EveryOperationHasABackwardPass) {
  for (const Case& one : all_operations()) expect_runs(one, 2, Mode::training);
}

// Constants and casts follow the precision of the run.
TEST(Kernel, EveryOperationKeepsThePrecision) {
  for (const Case& one : all_operations()) {
    // PyTorch 1.13 uses the kernel of a plain convolution for it in this precision on processors.
    if (std::holds_alternative<TransposedConvolution>(one.operation)) continue;
    SCOPED_TRACE(one.name);
    const Network network = network_of(one.operation, one.inputs, one.types);
    NodeRun run(network);
    run.precision = at::kBFloat16;
    try {
      ASSERT_TRUE(run.run()) << run.failure->message;
    } catch (const std::exception& missing) {
      // Not every kernel exists in this precision on processors.
      EXPECT_NE(std::string_view(missing.what()).find("not implemented for"), std::string_view::npos)
          << missing.what();
      continue;
    }
    EXPECT_TRUE(!run.output().is_floating_point() || run.output().scalar_type() == at::kBFloat16);
  }
}

TEST(Kernel, TheCasesCoverEveryOperationType) {
  std::vector<bool> seen(std::variant_size_v<Operation>, false);
  for (const Case& one : all_operations()) seen[one.operation.index()] = true;
  seen[Operation(Input{}).index()] = true;
  seen[Operation(Unknown{}).index()] = true;
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_TRUE(seen[i]) << "alternative " << i;
}

TEST(Kernel, NamesUnsupportedOperations) {
  const Network network =
      network_of(Unknown{"com.microsoft", "Attention", {Shape::batch_of({4})}}, {{Shape::batch_of({4})}});
  const auto kernel = kernel_of({network, network.nodes[1]});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, Errc::unsupported);
  EXPECT_NE(kernel.error().message.find("com.microsoft.Attention"), std::string::npos);
}

TEST(Kernel, OverwritesInputsWithoutLaterReaders) {
  Builder build("torchvision", "overwriting");
  const auto x = build.input("x", "Input", Shape::batch_of({6}));
  const auto y = build.add("dense", "Linear", Dense{6, false}, {x});
  const auto z = build.add("relu", "ReLU", Elementwise{Function::relu}, {y});
  const auto network = build.finish({z});
  ASSERT_TRUE(network);
  NodeView view{*network, network->nodes[2]};
  view.in_place = true;
  const auto kernel = kernel_of(view);
  ASSERT_TRUE(kernel);
  Registers registers;
  registers.values.resize(network->values.size());
  registers.values[y] = at::randn({2, 6});
  const void* memory = registers.values[y].data_ptr();
  (*kernel)(registers);
  EXPECT_EQ(registers.values[z].data_ptr(), memory);
  EXPECT_GE(registers.values[z].min().item<float>(), 0.0F);
}

TEST(Kernel, DoesNotOverwriteSharedMemory) {
  Builder build("torchvision", "aliases");
  const auto x = build.input("x", "Input", Shape::batch_of({64}));
  const auto y = build.add("dense", "Linear", Dense{64, false}, {x});
  const auto seen = build.add("view", "Reshape", Reshape{Shape::batch_of({2, 32})}, {y});
  const auto z = build.add("relu", "ReLU", Elementwise{Function::relu}, {y});
  const auto sum = build.add("sum", "Sum", Reduce{ReduceKind::sum, {1, 2}, false}, {seen});
  const auto network = build.finish({z, sum});
  ASSERT_TRUE(network);
  NodeRun run{*network};
  run.in_place = true;
  run.keeps_all = true;
  ASSERT_TRUE(run.run());
  EXPECT_NEAR(run.output(1).item<float>(), run.registers.values[y].sum().item<float>(), 1e-4);
  EXPECT_LT(run.registers.values[y].min().item<float>(), 0.0F);
}

TEST(Kernel, RandomWeightsPreserveTheVariance) {
  const Network network = network_of(Dense{256, true}, {{Shape::batch_of({512})}});
  NodeRun run{network};
  run.batch = 64;
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.plans[0].sizes, (std::vector<std::int64_t>{256, 512}));
  EXPECT_NEAR(run.output().std().item<float>(), 1.0F, 0.1F);
}

}  // namespace
}  // namespace ergon::profile::torch
