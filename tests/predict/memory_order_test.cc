#include "predict/memory_order.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/zoo/zoo.h"
#include "predict/task.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

graph::Network named(const std::string& name) {
  return graph::zoo::build(**graph::zoo::find(name), {}).value();
}

// How many filters that work channel by channel read an image that lies channels last.
double turned_in(const std::string& name, const Condition& condition) {
  double count = 0;
  const Job job = job_of(named(name), condition).value();
  for (const Task& task : job.tasks) {
    if (task.turned) count += task.count;
  }
  return count;
}

// All 36: what a block gives lies as its last dense layer left it, and so does what the convolution between
// two stages makes of it.
TEST(MemoryOrder, ConvNeXtFiltersImagesThatLieChannelsLast) {
  EXPECT_EQ(turned_in("convnext_base", {4, Mode::training, Precision::tf32}), 36);
  EXPECT_EQ(turned_in("convnext_tiny", {4, Mode::training, Precision::fp32}), 18);
}

TEST(MemoryOrder, ThatMattersOnTheWayBackAndWhereOthersLieOtherwise) {
  EXPECT_EQ(turned_in("convnext_base", {4, Mode::inference, Precision::tf32}), 0);
  EXPECT_EQ(turned_in("convnext_base", {4, Mode::training, Precision::bf16}), 0);
}

TEST(MemoryOrder, MobileNetworksLieAsTheyAreMeant) {
  for (const char* name : {"mobilenet_v2", "efficientnet_b0", "shufflenet_v2_x1_0", "mnasnet1_0"})
    EXPECT_EQ(turned_in(name, {4, Mode::training, Precision::tf32}), 0) << name;
}

// A layer norm writes anew what it reads; a turn and its opposite alone change nothing.
TEST(MemoryOrder, AReshapeOrAnotherTurnEndsIt) {
  for (const bool back : {false, true}) {
    graph::Builder b("test", "turned");
    auto x = b.input("x", "Input", graph::Shape::image_of(4, 6, 8));
    x = b.add("last", "Transpose", graph::Transpose{{0, 2, 3, 1}}, {x});
    const auto only_turned = b.add("at once", "Transpose", graph::Transpose{{0, 3, 1, 2}}, {x});
    EXPECT_FALSE(lies_turned(b.network(), only_turned));
    x = b.add("norm", "LayerNorm", graph::LayerNorm{}, {x});
    x = b.add("first", "Transpose", graph::Transpose{{0, 3, 1, 2}}, {x});
    x = b.add("relu", "ReLU", graph::Elementwise{graph::Function::relu}, {x});
    EXPECT_TRUE(lies_turned(b.network(), x));
    if (back) {
      x = b.add("sides", "Transpose", graph::Transpose{{0, 1, 3, 2}}, {x});
    } else {
      x = b.add("same", "Reshape", graph::Reshape{graph::Shape::image_of(4, 8, 6)}, {x});
    }
    EXPECT_FALSE(lies_turned(b.network(), x)) << back;
  }
}

TEST(MemoryOrder, OnlyChannelsThatWereCutOutLieInPieces) {
  graph::Builder b("test", "cut");
  const auto x = b.input("x", "Input", graph::Shape::image_of(8, 6, 6));
  b.open("chunk", "chunk");
  const auto halves = b.put_split(x, 1, {4, 4});
  const auto rows = b.put_split(x, 2, {3, 3});
  EXPECT_TRUE(is_cut_from_channels(b.network(), halves[1]));
  EXPECT_FALSE(is_cut_from_channels(b.network(), rows[0]));
  EXPECT_FALSE(is_cut_from_channels(b.network(), x));
  // As files may write it, from behind and with axes that stay whole.
  const graph::Slice slice{graph::Shape::image_of(4, 6, 6), {-3, -1}, {0, 0}, {4, 6}, {1, 1}};
  EXPECT_TRUE(is_cut_from_channels(b.network(), b.put(slice, {x})));
  const graph::Slice corner{graph::Shape::image_of(4, 3, 6), {1, 2}, {0, 0}, {4, 3}, {1, 1}};
  EXPECT_TRUE(is_cut_from_channels(b.network(), b.put(corner, {x}))) << "whatever else is cut away";
}

// As an MLP-Mixer turns its tokens: along the last axis neighbours are a row apart.
TEST(MemoryOrder, TurnedRowsLieApart) {
  graph::Builder b("test", "rows");
  auto x = b.input("x", "Input", graph::Shape::batch_of({196, 512}));
  x = b.add("norm", "LayerNorm", graph::LayerNorm{}, {x});
  EXPECT_FALSE(rows_lie_apart(b.network(), x, false));
  auto turned = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  turned = b.add("gelu", "GELU", graph::Elementwise{graph::Function::gelu}, {turned});
  EXPECT_TRUE(rows_lie_apart(b.network(), turned, false));
  EXPECT_TRUE(rows_lie_apart(b.network(), turned, true));
  const auto back = b.add("back", "Transpose", graph::Transpose{{0, 2, 1}}, {turned});
  EXPECT_FALSE(rows_lie_apart(b.network(), back, false));
  const auto heads = b.add("batch first", "Transpose", graph::Transpose{{1, 0, 2}}, {x});
  EXPECT_FALSE(rows_lie_apart(b.network(), heads, false));
}

// The channels of an image become rows: for nothing where they lie last anyway.
TEST(MemoryOrder, AnImageTakenForTokensLiesAsItWasWritten) {
  graph::Builder b("test", "tokens");
  auto x = b.input("x", "Input", graph::Shape::image_of(3, 32, 32));
  x = b.add("conv", "Conv", graph::Convolution{graph::Window::square(4, 4), 64, 1, true}, {x});
  x = b.add("flat", "Reshape", graph::Reshape{graph::Shape::batch_of({64, 64})}, {x});
  x = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  EXPECT_TRUE(rows_lie_apart(b.network(), x, false));
  EXPECT_FALSE(rows_lie_apart(b.network(), x, true));
}

// No framework lays what has one side channels last.
TEST(MemoryOrder, SoundTakenForTokensLiesApart) {
  graph::Builder b("test", "sound");
  auto x = b.input("x", "Input", graph::Shape::batch_of({40, 1000}).as_image());
  x = b.add("conv", "Conv", graph::Convolution{graph::Window::over({3}), 64, 1, true}, {x});
  x = b.add("turn", "Transpose", graph::Transpose{{0, 2, 1}}, {x});
  EXPECT_TRUE(rows_lie_apart(b.network(), x, true));
  EXPECT_TRUE(rows_lie_apart(b.network(), x, false));
}

// Group norms know images with their channels first only; a convolution writes them anew.
TEST(MemoryOrder, WhatFollowsAGroupNormLiesChannelsFirst) {
  graph::Builder b("test", "norms");
  const auto x = b.input("x", "Input", graph::Shape::image_of(32, 14, 14));
  const graph::Convolution filter{graph::Window::square(1, 1), 32, 1, false};
  const auto normed = b.add("norm", "GroupNorm", graph::GroupNorm{8}, {b.add("conv", "Conv", filter, {x})});
  const auto relu = b.add("relu", "ReLU", graph::Elementwise{graph::Function::relu}, {normed});
  const auto sum = b.add("add", "Add", graph::Arithmetic{graph::Combine::add}, {relu, x});
  const auto filtered = b.add("conv2", "Conv", filter, {sum});
  EXPECT_TRUE(lies_channels_first(b.network(), sum));
  EXPECT_FALSE(lies_channels_first(b.network(), filtered));
  EXPECT_FALSE(lies_channels_first(b.network(), x));
}

TEST(MemoryOrder, MatricesAreTakenEitherWay) {
  graph::Builder b("test", "matrix");
  const auto x = b.input("x", "Input", graph::Shape{{64}, graph::Dim::batch()});
  const auto turned = b.add("turn", "Transpose", graph::Transpose{{1, 0}}, {x});
  EXPECT_FALSE(rows_lie_apart(b.network(), turned, false));
}

}  // namespace
}  // namespace ergon::predict
