#include "predict/estimate/memory_layout.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/zoo/zoo.h"
#include "predict/estimate/task.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

graph::Network named(const std::string& name) {
  return graph::zoo::build(**graph::zoo::find(name), {}).value();
}

// Number of depthwise convolutions with an unintended channels-last input.
double channels_last_in(const std::string& name, const WorkloadConfig& config) {
  double count = 0;
  const Iteration iteration = iteration_of(named(name), config).value();
  for (const Task& task : iteration.tasks) {
    if (task.channels_last) count += task.count;
  }
  return count;
}

// All 36: a ConvNeXt block outputs channels-last (NHWC) tensors because its last layers are dense, and the
// convolution between two stages keeps the layout.
TEST(MemoryLayout, ConvNeXtImagesAreChannelsLast) {
  EXPECT_EQ(channels_last_in("convnext_base", {4, Mode::training, Precision::tf32}), 36);
  EXPECT_EQ(channels_last_in("convnext_tiny", {4, Mode::training, Precision::fp32}), 18);
}

TEST(MemoryLayout, OnlyMattersInTrainingAndIn32Bits) {
  EXPECT_EQ(channels_last_in("convnext_base", {4, Mode::inference, Precision::tf32}), 0);
  EXPECT_EQ(channels_last_in("convnext_base", {4, Mode::training, Precision::bf16}), 0);
}

TEST(MemoryLayout, MobileNetworksAreChannelsFirst) {
  for (const char* name : {"mobilenet_v2", "efficientnet_b0", "shufflenet_v2_x1_0", "mnasnet1_0"})
    EXPECT_EQ(channels_last_in(name, {4, Mode::training, Precision::tf32}), 0) << name;
}

// A layer norm writes a new tensor; a transpose and its inverse cancel out.
TEST(MemoryLayout, AReshapeOrAnotherTransposeEndsChannelsLast) {
  for (const bool back : {false, true}) {
    graph::Builder b("test", "transposed");
    auto x = b.input("x", "Input", graph::Shape::image_of(4, 6, 8));
    x = b.add("last", "Transpose", graph::Transpose{{0, 2, 3, 1}}, {x});
    const auto restored = b.add("at once", "Transpose", graph::Transpose{{0, 3, 1, 2}}, {x});
    EXPECT_FALSE(is_unintended_channels_last(b.network(), restored));
    x = b.add("norm", "LayerNorm", graph::LayerNorm{}, {x});
    x = b.add("first", "Transpose", graph::Transpose{{0, 3, 1, 2}}, {x});
    x = b.add("relu", "ReLU", graph::Elementwise{graph::Function::relu}, {x});
    EXPECT_TRUE(is_unintended_channels_last(b.network(), x));
    if (back) {
      x = b.add("sides", "Transpose", graph::Transpose{{0, 1, 3, 2}}, {x});
    } else {
      x = b.add("same", "Reshape", graph::Reshape{graph::Shape::image_of(4, 8, 6)}, {x});
    }
    EXPECT_FALSE(is_unintended_channels_last(b.network(), x)) << back;
  }
}

TEST(MemoryLayout, OnlySlicesOfChannelsAreStrided) {
  graph::Builder b("test", "cut");
  const auto x = b.input("x", "Input", graph::Shape::image_of(8, 6, 6));
  b.open("chunk", "chunk");
  const auto halves = b.put_split(x, 1, {4, 4});
  const auto rows = b.put_split(x, 2, {3, 3});
  EXPECT_TRUE(is_channel_slice(b.network(), halves[1]));
  EXPECT_FALSE(is_channel_slice(b.network(), rows[0]));
  EXPECT_FALSE(is_channel_slice(b.network(), x));
  // As in files: negative axes, and axes that are not cut.
  const graph::Slice slice{graph::Shape::image_of(4, 6, 6), {-3, -1}, {0, 0}, {4, 6}, {1, 1}};
  EXPECT_TRUE(is_channel_slice(b.network(), b.put(slice, {x})));
  const graph::Slice corner{graph::Shape::image_of(4, 3, 6), {1, 2}, {0, 0}, {4, 3}, {1, 1}};
  EXPECT_TRUE(is_channel_slice(b.network(), b.put(corner, {x}))) << "also if other axes are cut";
}

// As in an MLP-Mixer: after the transpose, elements along the last dimension are a row apart.
TEST(MemoryLayout, TransposedRowsAreStrided) {
  graph::Builder b("test", "rows");
  auto x = b.input("x", "Input", graph::Shape::batch_of({196, 512}));
  x = b.add("norm", "LayerNorm", graph::LayerNorm{}, {x});
  EXPECT_FALSE(has_strided_rows(b.network(), x, false));
  auto transposed = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  transposed = b.add("gelu", "GELU", graph::Elementwise{graph::Function::gelu}, {transposed});
  EXPECT_TRUE(has_strided_rows(b.network(), transposed, false));
  EXPECT_TRUE(has_strided_rows(b.network(), transposed, true));
  const auto back = b.add("back", "Transpose", graph::Transpose{{0, 2, 1}}, {transposed});
  EXPECT_FALSE(has_strided_rows(b.network(), back, false));
  const auto heads = b.add("batch first", "Transpose", graph::Transpose{{1, 0, 2}}, {x});
  EXPECT_FALSE(has_strided_rows(b.network(), heads, false));
}

// Tokens from an image are contiguous if the image is channels-last.
TEST(MemoryLayout, TokensKeepTheLayoutOfTheirImage) {
  graph::Builder b("test", "tokens");
  auto x = b.input("x", "Input", graph::Shape::image_of(3, 32, 32));
  x = b.add("conv", "Conv", graph::Convolution{graph::Window::square(4, 4), 64, 1, true}, {x});
  x = b.add("flat", "Reshape", graph::Reshape{graph::Shape::batch_of({64, 64})}, {x});
  x = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  EXPECT_TRUE(has_strided_rows(b.network(), x, false));
  EXPECT_FALSE(has_strided_rows(b.network(), x, true));
}

// One-dimensional signals are never channels-last.
TEST(MemoryLayout, TokensOfASignalAreStrided) {
  graph::Builder b("test", "sound");
  auto x = b.input("x", "Input", graph::Shape::batch_of({40, 1000}).as_image());
  x = b.add("conv", "Conv", graph::Convolution{graph::Window::over({3}), 64, 1, true}, {x});
  x = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  EXPECT_TRUE(has_strided_rows(b.network(), x, true));
  EXPECT_TRUE(has_strided_rows(b.network(), x, false));
}

// Group norms write channels-first; a convolution writes its own layout.
TEST(MemoryLayout, OperationsAfterAGroupNormAreChannelsFirst) {
  graph::Builder b("test", "norms");
  const auto x = b.input("x", "Input", graph::Shape::image_of(32, 14, 14));
  const graph::Convolution filter{graph::Window::square(1, 1), 32, 1, false};
  const auto normed = b.add("norm", "GroupNorm", graph::GroupNorm{8}, {b.add("conv", "Conv", filter, {x})});
  const auto relu = b.add("relu", "ReLU", graph::Elementwise{graph::Function::relu}, {normed});
  const auto sum = b.add("add", "Add", graph::Arithmetic{graph::Combine::add}, {relu, x});
  const auto filtered = b.add("conv2", "Conv", filter, {sum});
  EXPECT_TRUE(is_unintended_channels_first(b.network(), sum));
  EXPECT_FALSE(is_unintended_channels_first(b.network(), filtered));
  EXPECT_FALSE(is_unintended_channels_first(b.network(), x));
}

TEST(MemoryLayout, TransposedMatricesAreAccepted) {
  graph::Builder b("test", "matrix");
  const auto x = b.input("x", "Input", graph::Shape{{64}, graph::Dim::batch()});
  const auto transposed = b.add("turn", "Transpose", graph::Transpose{{1, 0}}, {x});
  EXPECT_FALSE(has_strided_rows(b.network(), transposed, false));
}

}  // namespace
}  // namespace ergon::predict
