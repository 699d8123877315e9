#include "predict/estimate/strided_copies.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/zoo/zoo.h"
#include "predict/estimate/some_iterations.h"
#include "predict/predictor.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

std::vector<Task> copies_in(const std::string& name, const WorkloadConfig& config) {
  const auto network = graph::zoo::build(*graph::zoo::find(name).value(), {}).value();
  return strided_copies(network, profile::steps_of(network, {config.mode, false}), config);
}

double elements_of(const std::vector<Task>& copies) {
  double sum = 0;
  for (const Task& copy : copies) sum += copy.count * copy.geometry.output_elements;
  return sum;
}

// Two blocks of 56 x 56 x 96, two of 28 x 28 x 192, six of 14 x 14 x 384, two of 7 x 7 x 768: queries, keys
// and values of each.
TEST(StridedCopies, OfWindowAttentionAreQueriesKeysAndValues) {
  const double image = 3136.0 * 96 * 2 + 784.0 * 192 * 2 + 196.0 * 384 * 6 + 49.0 * 768 * 2;
  EXPECT_EQ(elements_of(copies_in("swin_t", {1, Mode::inference, Precision::tf32})), 3 * image);
  EXPECT_EQ(elements_of(copies_in("swin_t", {8, Mode::inference, Precision::bf16})), 8 * 3 * image);
}

// 256 x 256 pixels in windows without padding.
TEST(StridedCopies, NormalizedQueriesKeepTheirLayout) {
  const double image = 4096.0 * 96 * 2 + 1024.0 * 192 * 2 + 256.0 * 384 * 6 + 64.0 * 768 * 2;
  EXPECT_EQ(elements_of(copies_in("swin_v2_t", {1, Mode::inference, Precision::tf32})), 3 * image);
}

TEST(StridedCopies, FusedAttentionNeedsNone) {
  for (const char* name : {"vit_b_16", "bert_base", "gpt2"})
    EXPECT_TRUE(copies_in(name, {4, Mode::inference, Precision::tf32}).empty()) << name;
}

TEST(StridedCopies, ConvolutionalNetworksHaveNone) {
  for (const char* name : {"resnet50", "densenet121", "inception_v3", "convnext_base"})
    EXPECT_TRUE(copies_in(name, {4, Mode::training, Precision::tf32}).empty()) << name;
}

// Three, seven and three units convolve half of their channels: 58 of 28 x 28, 116 of 14 x 14, 232 of 7 x 7.
TEST(StridedCopies, ConvolutionsCopyASliceOfChannels) {
  const double halves = 3 * 58 * 784.0 + 7 * 116 * 196.0 + 3 * 232 * 49.0;
  const WorkloadConfig wide{4, Mode::inference, Precision::tf32}, half{4, Mode::inference, Precision::bf16};
  const auto copies = copies_in("shufflenet_v2_x1_0", wide);
  EXPECT_EQ(elements_of(copies), 4 * halves);
  // Read and written once, contiguous per sample.
  EXPECT_EQ(copies[0].forward[0].kind, device::KernelKind::stream);
  EXPECT_EQ(copies[0].forward[0].traffic, Bytes{copies[0].geometry.input_elements * 8});
  EXPECT_TRUE(copies[0].backward.empty());
  // Strided if channels-last.
  EXPECT_EQ(copies_in("shufflenet_v2_x1_0", half)[0].forward[0].kind, device::KernelKind::gather);
  EXPECT_TRUE(copies_in("shufflenet_v2_x1_0", {1, Mode::inference, Precision::tf32}).empty());
  for (const Task& copy : copies) EXPECT_TRUE(copy.shares_launch);
  WorkloadConfig training = wide;
  training.mode = Mode::training;
  EXPECT_EQ(copies_in("shufflenet_v2_x1_0", training)[0].backward.size(), 1U);
}

// Products accept transposed matrices; only a permutation of the other dimensions makes them strided.
TEST(StridedCopies, TransposedMatricesAreNotCopied) {
  for (const bool scatters : {false, true}) {
    graph::Builder b("test", "transposed");
    const auto x = b.input("x", "Input", graph::Shape::image_of(4, 4, 4));
    const graph::Transpose turn = scatters ? graph::Transpose{{0, 2, 1, 3}} : graph::Transpose{{0, 1, 3, 2}};
    const auto channels_last = b.add("turn", "Transpose", turn, {x});
    const auto network =
        b.finish({b.add("dot", "MatMul", graph::MatrixProduct{}, {x, channels_last})}).value();
    const WorkloadConfig config{2, Mode::inference, Precision::tf32};
    const auto steps = profile::steps_of(network, {config.mode, false});
    EXPECT_EQ(strided_copies(network, steps, config).size(), scatters ? 1U : 0U);
  }
}

TEST(StridedCopies, AreTasksOfTheIteration) {
  const auto network = graph::zoo::build(*graph::zoo::find("swin_t").value(), {}).value();
  const Iteration iteration = iteration_of(network, {2, Mode::inference, Precision::tf32}).value();
  double implicit = 0;
  for (const Task& task : iteration.tasks) implicit += task.implicit ? task.count : 0;
  EXPECT_EQ(implicit, 3 * 12);
}

// Measured on an H200 at the default clock: 6.8 ps per element in every precision.
TEST(StridedCopies, TakeAsLongInSixteenBitsAsInThirtyTwo) {
  const auto gpu = test::gpu_named("h200");
  for (const Precision precision : {Precision::tf32, Precision::bf16}) {
    for (const Task& copy : copies_in("swin_t", {128, Mode::inference, precision})) {
      const TaskEstimate estimate(copy, precision, gpu);
      const double each = estimate.at(gpu.core.max, gpu).gpu.si() / copy.geometry.output_elements;
      EXPECT_NEAR(each * 1e12, 6.8, 1.2) << copy.description;
    }
  }
}

TEST(StridedCopies, DenseLayersCopyTransposedRows) {
  graph::Builder b("test", "mixer");
  auto x = b.input("x", "Input", graph::Shape::batch_of({196, 512}));
  x = b.add("norm", "LayerNorm", graph::LayerNorm{}, {x});
  const auto channels_last = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  const auto interpolated = b.add("patches", "Linear", graph::Dense{256, true}, {channels_last});
  const auto plain = b.add("channels", "Linear", graph::Dense{256, true}, {x});
  const auto network = b.finish({interpolated, plain}).value();
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const WorkloadConfig config{8, mode, Precision::bf16};
    const auto copies = strided_copies(network, profile::steps_of(network, {mode, false}), config);
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].kind, "transpose");
    EXPECT_EQ(copies[0].geometry.output_elements, 8.0 * 196 * 512);
    EXPECT_EQ(traffic_of(copies[0]), 8.0 * 196 * 512 * 2 * 2);
    EXPECT_EQ(copies[0].backward.empty(), mode == Mode::inference);
  }
}

// In 16 bits images are channels-last, so that tokens are contiguous.
TEST(StridedCopies, TokensOfAnImageAreCopiedIn32BitsOnly) {
  graph::Builder b("test", "tokens");
  auto x = b.input("x", "Input", graph::Shape::image_of(3, 32, 32));
  x = b.add("conv", "Conv", graph::Convolution{graph::Window::square(4, 4), 64, 1, true}, {x});
  x = b.add("flat", "Reshape", graph::Reshape{graph::Shape::batch_of({64, 64})}, {x});
  x = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  const auto network = b.finish({b.add("dense", "Linear", graph::Dense{8, true}, {x})}).value();
  const auto steps = profile::steps_of(network, {Mode::inference, false});
  EXPECT_EQ(strided_copies(network, steps, {4, Mode::inference, Precision::tf32}).size(), 1U);
  EXPECT_TRUE(strided_copies(network, steps, {4, Mode::inference, Precision::bf16}).empty());
}

TEST(StridedCopies, ConvolutionsCopyAfterAGroupNormIn16BitsOnly) {
  graph::Builder b("test", "norms");
  const graph::Convolution filter{graph::Window::square(1, 1), 32, 1, false};
  auto x = b.input("x", "Input", graph::Shape::image_of(32, 14, 14));
  for (const std::string name : {"a", "b"}) {
    x = b.add("norm " + name, "GroupNorm", graph::GroupNorm{8}, {x});
    x = b.add("conv " + name, "Conv", filter, {x});
  }
  const auto network = b.finish({x}).value();
  const auto copies = [&](Mode mode, Precision precision) {
    return strided_copies(network, profile::steps_of(network, {mode, false}), {4, mode, precision});
  };
  EXPECT_TRUE(copies(Mode::inference, Precision::tf32).empty());
  const auto forth = copies(Mode::inference, Precision::bf16);
  ASSERT_EQ(forth.size(), 1U);
  EXPECT_EQ(forth[0].count, 2);
  EXPECT_EQ(forth[0].geometry.output_elements, 4.0 * 32 * 14 * 14);
  EXPECT_TRUE(forth[0].shares_launch);
  EXPECT_TRUE(forth[0].backward.empty());
  EXPECT_EQ(copies(Mode::training, Precision::bf16).at(0).backward.size(), 1U);
}

}  // namespace
}  // namespace ergon::predict
