// Import of graphs as exporters write them.

#include <gtest/gtest.h>

#include "graph/onnx/small_model.h"
#include "graph/summary.h"

namespace ergon::graph::onnx {
namespace {

using test::SmallModel;

Network imported(const SmallModel& model, const ImportOptions& options = {}) {
  auto network = model.import(options);
  EXPECT_TRUE(network) << (network ? "" : network.error().message);
  return network ? std::move(*network) : Network{};
}

Shape result_of(const SmallModel& model) {
  const Network network = imported(model);
  return network.outputs.empty() ? Shape() : network.values[network.outputs[0]].shape;
}

Costs costs_of(const Network& network, std::int64_t batch = 1) {
  const auto costs = graph::network_costs(network, batch, Mode::inference);
  EXPECT_TRUE(costs) << (costs ? "" : costs.error().message);
  return costs->totals.sum;
}

// PyTorch's exporters leave traces of a folded batch norm; other biases are not counted.
TEST(OnnxImport, CountsFoldedBatchNorms) {
  const auto with_weight = [](const std::string& weight) {
    SmallModel model;
    model.input("x", {-1, 3, 32, 32}).weight(weight, {16, 3, 3, 3}).weight("b", {16});
    model.node("Conv", {"x", weight, "b"}, {"y"}).output("y");
    return model;
  };
  EXPECT_EQ(imported(with_weight("conv1.weight")).folded_batch_norms, 0);
  EXPECT_EQ(imported(with_weight("onnx::Conv_497")).folded_batch_norms, 1);
  SmallModel without_bias;
  without_bias.input("x", {-1, 3, 32, 32}).weight("onnx::Conv_497", {16, 3, 3, 3});
  without_bias.node("Conv", {"x", "onnx::Conv_497"}, {"y"}).output("y");
  EXPECT_EQ(imported(without_bias).folded_batch_norms, 0);
  SmallModel exported = with_weight("conv1.weight");
  exported.graph().mutable_node(0)->set_doc_string("ResNet/bn1: torch.nn.modules.batchnorm.BatchNorm2d");
  EXPECT_EQ(imported(exported).folded_batch_norms, 1);
}

TEST(OnnxImport, KeepsTheDataTypesOfQuantizedAndHalfPrecisionFiles) {
  constexpr int kInt8 = 3, kFloat16 = 10;
  SmallModel half;
  half.input("x", {-1, 64}, kFloat16).weight("w", {64, 32}, kFloat16);
  half.node("MatMul", {"x", "w"}, {"y"}).output("y");
  const Network network = imported(half);
  EXPECT_EQ(network.nodes.back().weights.at(0).type, ElementType::float16);
  SmallModel quantized;
  quantized.input("x", {-1, 64}, kInt8).weight("w", {64, 32}, kInt8);
  for (const char* scale : {"xs", "ws", "ys"}) quantized.weight(scale, {});
  for (const char* zero : {"xz", "wz", "yz"}) quantized.weight(zero, {}, kInt8);
  quantized.node("QLinearMatMul", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz"}, {"y"}).output("y");
  const Network integers = imported(quantized);
  const Node& product = integers.nodes.back();
  EXPECT_EQ(integers.values[product.inputs.at(0)].type, ElementType::int8);
  EXPECT_EQ(product.weights.at(0).type, ElementType::int8);
}

TEST(OnnxImport, ConvolutionWithASymbolicBatch) {
  SmallModel model;
  model.input("x", {-1, 3, 32, 32}).weight("w", {16, 3, 3, 3}).weight("b", {16});
  model.node("Conv", {"x", "w", "b"}, {"y"}).list("strides", {2, 2}).list("pads", {1, 1, 1, 1}).output("y");
  const Network network = imported(model);
  EXPECT_FALSE(network.batch_is_fixed);
  EXPECT_EQ(to_text(network.values[network.outputs[0]].shape), "(batch, 16, 16, 16)");
  EXPECT_EQ(costs_of(network, 4).macs, 4 * 16 * 16 * 16 * 27);
  EXPECT_EQ(costs_of(network).parameters, 16 * 27 + 16);
}

TEST(OnnxImport, AutomaticPadding) {
  const auto padded = [](const char* how) {
    SmallModel model;
    model.input("x", {-1, 3, 11, 11}).weight("w", {4, 3, 4, 4});
    model.node("Conv", {"x", "w"}, {"y"}).list("strides", {2, 2}).text("auto_pad", how).output("y");
    return to_text(result_of(model));
  };
  EXPECT_EQ(padded("SAME_UPPER"), "(batch, 4, 6, 6)");
  EXPECT_EQ(padded("SAME_LOWER"), "(batch, 4, 6, 6)");
  EXPECT_EQ(padded("VALID"), "(batch, 4, 4, 4)");
}

TEST(OnnxImport, FixedBatchBecomesSymbolicIfTheGraphAllows) {
  SmallModel model;
  model.input("x", {4, 2, 6, 6}).integers("flat", {4, 72}).weight("w", {72, 10});
  model.node("Relu", {"x"}, {"r"})
      .node("Reshape", {"r", "flat"}, {"f"})
      .node("MatMul", {"f", "w"}, {"y"})
      .output("y");
  const Network network = imported(model);
  EXPECT_FALSE(network.batch_is_fixed);
  EXPECT_EQ(costs_of(network, 1).macs, 720);
  EXPECT_EQ(costs_of(network, 7).macs, 7 * 720);
}

TEST(OnnxImport, BatchInConstantsStaysFixed) {
  SmallModel model;
  // A weight with one element per sample: no other batch can run.
  model.input("x", {4, 6}).weight("each", {4, 6}).weight("w", {6, 5});
  model.node("Add", {"x", "each"}, {"a"}).node("MatMul", {"a", "w"}, {"y"}).output("y");
  const Network network = imported(model);
  EXPECT_TRUE(network.batch_is_fixed);
  EXPECT_EQ(network.default_batch, 4);
  EXPECT_EQ(costs_of(network, 4).macs, 4 * 6 * 5);
  EXPECT_FALSE(graph::network_costs(network, 1, Mode::inference));
}

TEST(OnnxImport, DefaultBatchIsThatOfTheFile) {
  SmallModel model;
  model.input("x", {197, 768}).weight("w", {768, 768}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(imported(model).default_batch, 197);
  SmallModel open;
  open.input("x", {-1, 768}).weight("w", {768, 768}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  EXPECT_FALSE(imported(open).default_batch);
}

// The first axis is not a batch if samples depend on each other.
TEST(OnnxImport, FirstAxisThatIsNotABatchStaysFixed) {
  SmallModel steps;
  steps.input("x", {9, 1, 3}).weight("w", {1, 24, 3}).weight("r", {1, 24, 6});
  steps.node("LSTM", {"x", "w", "r"}, {"y"}).list("activations", {}).with("hidden_size", 6).output("y");
  EXPECT_TRUE(imported(steps).batch_is_fixed);
  EXPECT_EQ(costs_of(imported(steps), 9).macs, 9 * 24 * (3 + 6));
  SmallModel itself;
  itself.input("x", {4, 8}).node("Transpose", {"x"}, {"t"}).node("MatMul", {"x", "t"}, {"y"}).output("y");
  EXPECT_TRUE(imported(itself).batch_is_fixed);
  SmallModel summed;
  summed.input("x", {4, 8}).node("ReduceMean", {"x"}, {"y"}).list("axes", {0}).output("y");
  EXPECT_TRUE(imported(summed).batch_is_fixed);
}

TEST(OnnxImport, OtherInputsKeepTheirFixedFirstAxis) {
  SmallModel model;
  model.input("x", {-1, 8}).input("t", {8, 10}).node("MatMul", {"x", "t"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 10)");
}

// view(x.size(0), -1) as PyTorch exports it.
TEST(OnnxImport, ShapesComputedInTheGraph) {
  SmallModel model(13);
  model.input("x", {-1, 8, 4, 4}).integers("zero", {0}, true).integers("axes", {0}).integers("rest", {-1});
  model.node("Shape", {"x"}, {"s"})
      .node("Gather", {"s", "zero"}, {"n"})
      .node("Unsqueeze", {"n", "axes"}, {"u"});
  model.node("Concat", {"u", "rest"}, {"target"}).with("axis", 0);
  model.node("Reshape", {"x", "target"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 128)");
}

TEST(OnnxImport, HeadsCanShareAnAxisWithTheBatch) {
  SmallModel model;
  model.input("x", {-1, 7, 24}).integers("split", {-1, 7, 3, 8}).integers("merge", {-1, 7, 8});
  model.node("Reshape", {"x", "split"}, {"s"}).node("Transpose", {"s"}, {"t"}).list("perm", {0, 2, 1, 3});
  model.node("Reshape", {"t", "merge"}, {"m"}).node("Transpose", {"m"}, {"k"}).list("perm", {0, 2, 1});
  model.node("MatMul", {"m", "k"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(model)), "(3*batch, 7, 7)");
  EXPECT_EQ(costs_of(imported(model), 2).macs, 2 * 3 * 7 * 7 * 8);
}

TEST(OnnxImport, NamedDimensionsMustBeGiven) {
  SmallModel model;
  model.input("x", {-1, 3, -2, -2}).weight("w", {8, 3, 3, 3}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(model.error(), "test: input \"x\": dimension \"S\" is symbolic; set it with --dim S=N");
  ImportOptions options;
  options.dimensions["S"] = 10;
  EXPECT_EQ(costs_of(imported(model, options)).macs, 8 * 8 * 8 * 27);
  options.dimensions["N"] = 5;
  EXPECT_EQ(imported(model, options).default_batch, 5);
  EXPECT_TRUE(imported(model, options).batch_is_fixed);
}

TEST(OnnxImport, WeightsMayBeComputedFromInitializers) {
  SmallModel model;
  // Stored as transposed integers, and read through two nodes.
  model.input("x", {-1, 20}).weight("w", {10, 20}, 3).reals("scale", {0.1F});
  model.node("DequantizeLinear", {"w", "scale"}, {"f"}).node("Transpose", {"f"}, {"t"});
  model.node("MatMul", {"x", "t"}, {"y"}).output("y");
  const Network network = imported(model);
  EXPECT_EQ(network.nodes.size(), 2U)
      << "the input and the product; the rest is computed before the network runs";
  EXPECT_EQ(costs_of(network).macs, 200);
  EXPECT_EQ(costs_of(network).parameters, 200);
  EXPECT_EQ(costs_of(network).weight_bytes, 200) << "one byte each";
  const auto costs = graph::network_costs(network, 1, Mode::inference);
  EXPECT_EQ(costs->totals.macs.at(MacType::dense), 200);
}

TEST(OnnxImport, ShapesAndIndicesAreNotParameters) {
  SmallModel model;
  model.input("x", {-1, 3, 8, 8}).weight("flat", {108}).integers("shape", {4, 3, 3, 3});
  model.node("Reshape", {"flat", "shape"}, {"w"}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(costs_of(imported(model)).parameters, 108);
}

TEST(OnnxImport, QuantizedConvolutionsCountKernelAndBias) {
  SmallModel model;
  model.input("x", {-1, 3, 8, 8}, 2)
      .weight("w", {4, 3, 3, 3}, 3)
      .weight("b", {4}, 6)
      .weight("s", {4})
      .weight("z", {4}, 3);
  model.weight("one", {}).weight("zero", {}, 2);
  model.node("QLinearConv", {"x", "one", "zero", "w", "s", "z", "one", "zero", "b"}, {"y"}).output("y");
  EXPECT_EQ(costs_of(imported(model)).parameters, 112);
  EXPECT_EQ(costs_of(imported(model)).macs, 36 * 108);
}

// Exporters may omit an attribute's value if it is 0.
TEST(OnnxImport, OmittedZeroAttributes) {
  SmallModel model(13);
  model.input("x", {-1, 5, 6})
      .node("ReduceMean", {"x"}, {"y"})
      .list("axes", {1})
      .with("keepdims", 0)
      .output("y");
  model.graph().mutable_node(0)->mutable_attribute(1)->clear_i();
  EXPECT_EQ(to_text(result_of(model)), "(batch, 6)");
}

// F.pad as PyTorch's older exporter writes it.
TEST(OnnxImport, PaddingComputedInTheGraph) {
  SmallModel model(13);
  model.input("x", {-1, 6, 6, 6}).integers("given", {1, 2, 3, 4}).integers("count", {4});
  model.node("ConstantOfShape", {"count"}, {"zeros"});
  auto* value = model.graph().mutable_node(0)->add_attribute();
  value->set_name("value");
  value->set_type(::onnx::AttributeProto::TENSOR);
  value->mutable_t()->set_data_type(7);
  value->mutable_t()->add_dims(1);
  value->mutable_t()->add_int64_data(0);
  model.node("Concat", {"given", "zeros"}, {"all"}).with("axis", 0);
  model.integers("pairs", {-1, 2}).node("Reshape", {"all", "pairs"}, {"p"});
  model.integers("last", {-1}).integers("before", {INT64_MIN}).integers("first", {0}).integers("down", {-1});
  model.node("Slice", {"p", "last", "before", "first", "down"}, {"r"})
      .node("Transpose", {"r"}, {"t"})
      .list("perm", {1, 0});
  model.integers("flat", {-1})
      .node("Reshape", {"t", "flat"}, {"f"})
      .node("Pad", {"x", "f"}, {"y"})
      .output("y");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 6, 13, 9)");
}

// A remainder has the sign of its divisor.
TEST(OnnxImport, RemaindersOfNegativeNumbers) {
  SmallModel model(13);
  model.input("x", {-1, 20}).integers("open", {-1}).integers("a", {-2}).integers("b", {6});
  model.node("Mod", {"a", "b"}, {"r"}).node("Concat", {"open", "r", "open5"}, {"shape"}).with("axis", 0);
  model.integers("open5", {5}).node("Reshape", {"x", "shape"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 4, 5)");
}

TEST(OnnxImport, SizesComputedInFloatingPoint) {
  SmallModel model(13);
  model.input("x", {-1, 3, 7, 8}).reals("scale", {1.5F});
  model.node("Shape", {"x"}, {"s"}).integers("two", {2}).integers("four", {4}).integers("zero", {0});
  model.node("Slice", {"s", "two", "four"}, {"hw"}).node("Slice", {"s", "zero", "two"}, {"nc"});
  model.node("Cast", {"hw"}, {"c"})
      .with("to", 1)
      .node("Mul", {"c", "scale"}, {"m"})
      .node("Floor", {"m"}, {"fl"});
  model.node("Cast", {"fl"}, {"i"}).with("to", 7).node("Concat", {"nc", "i"}, {"sizes"}).with("axis", 0);
  model.node("Resize", {"x", "", "", "sizes"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 3, 10, 12)");
}

// Large data is skipped when a model is read; its length is still checked.
TEST(OnnxImport, EmbeddedWeights) {
  SmallModel model;
  model.input("x", {-1, 200}).weight("w", {200, 300}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  auto* weight = model.graph().mutable_initializer(0);
  weight->clear_data_location();
  weight->set_raw_data(std::string(200 * 300 * 4, 'x'));
  EXPECT_EQ(costs_of(imported(model)).parameters, 60000);
  weight->set_raw_data(std::string(200 * 300 * 4 + 4, 'x'));
  EXPECT_EQ(model.error(), "test: initializer \"w\": 240004 bytes of data for (200, 300) of float32");
  weight->clear_raw_data();
  for (int i = 0; i < 60000; ++i) weight->add_float_data(1);
  EXPECT_EQ(costs_of(imported(model)).parameters, 60000);
}

// Scales are fp32: 10 * 0.7 is 7 in single precision, and slightly less in double precision.
TEST(OnnxImport, ResizeRoundsAsTheStandardDoes) {
  SmallModel scaled(13);
  scaled.input("x", {-1, 3, 10, 100}).reals("scales", {1, 1, 0.7F, 0.29F});
  scaled.node("Resize", {"x", "", "scales"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(scaled)), "(batch, 3, 7, 29)");
  SmallModel between(13);
  between.input("x", {-1, 3, 10, 10}).reals("scales", {1, 1, 0.75F, 1.25F});
  between.node("Resize", {"x", "", "scales"}, {"y"}).output("y");
  EXPECT_EQ(to_text(result_of(between)), "(batch, 3, 7, 12)") << "rounded down";
  const auto kept = [](const char* policy) {
    SmallModel model(18);
    model.input("x", {-1, 3, 6, 10})
        .integers("sizes", {12, 30})
        .node("Resize", {"x", "", "", "sizes"}, {"y"});
    model.list("axes", {2, 3}).text("keep_aspect_ratio_policy", policy).output("y");
    return to_text(result_of(model));
  };
  EXPECT_EQ(kept("stretch"), "(batch, 3, 12, 30)");
  EXPECT_EQ(kept("not_larger"), "(batch, 3, 12, 20)");
  EXPECT_EQ(kept("not_smaller"), "(batch, 3, 18, 30)");
}

TEST(OnnxImport, SharedWeightsAreStoredOnce) {
  SmallModel model;
  model.input("x", {-1, 20}).weight("w", {20, 20});
  model.node("MatMul", {"x", "w"}, {"a"}).node("MatMul", {"a", "w"}, {"y"}).output("y");
  EXPECT_EQ(costs_of(imported(model)).parameters, 400);
  EXPECT_EQ(costs_of(imported(model)).macs, 800);
  EXPECT_EQ(costs_of(imported(model)).weight_bytes_moved, 2 * 1600);
}

TEST(OnnxImport, ConstantOnTheLeftIsAWeight) {
  SmallModel model;
  model.input("x", {-1, 20, 3}).weight("w", {5, 20}).node("MatMul", {"w", "x"}, {"y"}).output("y");
  const Network network = imported(model);
  EXPECT_EQ(to_text(network.values[network.outputs[0]].shape), "(batch, 5, 3)");
  const auto costs = graph::network_costs(network, 2, Mode::inference);
  EXPECT_EQ(costs->totals.macs.at(MacType::dense), 2 * 5 * 3 * 20);
}

TEST(OnnxImport, EinsumWithAConstantIsDense) {
  SmallModel model;
  model.input("x", {-1, 5, 7})
      .weight("w", {7, 3})
      .node("Einsum", {"x", "w"}, {"y"})
      .text("equation", "bij,jk->bik");
  model.output("y");
  const auto costs = graph::network_costs(imported(model), 2, Mode::inference);
  EXPECT_EQ(costs->totals.macs, (std::map<MacType, std::int64_t>{{MacType::dense, 2 * 5 * 7 * 3}}));
  EXPECT_EQ(costs->totals.sum.parameters, 21);
}

TEST(OnnxImport, OldAndNewOpsetsGiveTheSameNetwork) {
  for (const std::int64_t opset : {7, 11, 12}) {
    SmallModel model(opset);
    model.input("x", {-1, 1, 6}).node("Squeeze", {"x"}, {"s"}).list("axes", {1});
    model.node("ReduceMean", {"s"}, {"y"}).list("axes", {1}).with("keepdims", 0).output("y");
    EXPECT_EQ(to_text(result_of(model)), "(batch)") << opset;
  }
  for (const std::int64_t opset : {18, 20, 21}) {
    SmallModel model(opset);
    model.input("x", {-1, 1, 6}).integers("one", {1});
    model.node("Squeeze", {"x", "one"}, {"s"})
        .node("ReduceMean", {"s", "one"}, {"y"})
        .with("keepdims", 0)
        .output("y");
    EXPECT_EQ(to_text(result_of(model)), "(batch)") << opset;
  }
}

TEST(OnnxImport, NodesMayComeInAnyOrder) {
  SmallModel model;
  model.input("x", {-1, 20}).weight("w", {20, 10});
  model.node("Relu", {"m"}, {"y"}).node("MatMul", {"x", "w"}, {"m"}).output("y");
  EXPECT_EQ(costs_of(imported(model)).macs, 200);
}

TEST(OnnxImport, WeightsMayBeListedAsInputs) {
  SmallModel model;
  model.input("x", {-1, 20})
      .input("w", {20, 10})
      .weight("w", {20, 10})
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y");
  EXPECT_EQ(costs_of(imported(model)).parameters, 200);
}

TEST(OnnxImport, UnknownOperationsAreListedAndCounted) {
  SmallModel model;
  model.input("x", {-1, 20}).weight("w", {20, 10});
  model.node("Mystery", {"x"}, {"m"}, "com.example").declare("m", {-1, 20});
  model.node("MatMul", {"m", "w"}, {"y"}).output("y");
  const auto costs = graph::network_costs(imported(model), 1, Mode::inference);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->unknown, (std::map<std::string, std::int64_t>{{"com.example.Mystery", 1}}));
  EXPECT_EQ(costs->totals.sum.macs, 200);
  ImportOptions strict;
  strict.strict = true;
  EXPECT_EQ(model.error(strict),
            "test: node \"my_m\" (Mystery): operation of unknown cost, which --strict rejects");
}

TEST(OnnxImport, ReadersOfUnknownShapesAreUnknown) {
  SmallModel model;
  model.input("x", {-1, 20}).weight("w", {20, 10}).weight("v", {20, 5});
  model.node("Mystery", {"x"}, {"m"}, "com.example").node("MatMul", {"m", "w"}, {"y"}).output("y");
  model.node("MatMul", {"x", "v"}, {"z"}).output("z");
  const Network network = imported(model);
  const auto costs = graph::network_costs(network, 1, Mode::inference);
  EXPECT_EQ(costs->unknown, (std::map<std::string, std::int64_t>{{"MatMul", 1}, {"com.example.Mystery", 1}}));
  EXPECT_EQ(costs->totals.sum.macs, 100);
  EXPECT_EQ(costs->totals.sum.parameters, 300) << "weights are stored, whoever reads them";
}

TEST(OnnxImport, StrictRejectsOperationsOfUnknownCost) {
  SmallModel model;
  model.input("x", {-1, 20}).integers("k", {5}).node("TopK", {"x", "k"}, {"v", "i"}).output("v");
  ImportOptions strict;
  strict.strict = true;
  EXPECT_EQ(model.error(strict),
            "test: node \"my_v\" (TopK): operation of unknown cost, which --strict rejects");
  EXPECT_EQ(to_text(result_of(model)), "(batch, 5)");
}

// A model without weights may list them as inputs.
TEST(OnnxImport, WeightsAsInputs) {
  SmallModel model;
  model.input("x", {4, 3, 8, 8}).input("w", {16, 3, 3, 3}).input("b", {16});
  model.node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  const Network network = imported(model);
  EXPECT_FALSE(network.batch_is_fixed);
  EXPECT_EQ(costs_of(network).parameters, 16 * 27 + 16);
}

TEST(OnnxImport, UnreadInputsAreKept) {
  SmallModel model;
  model.input("x", {-1, 4}).input("unused", {7, 7}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(imported(model).layers.size(), 3U);
}

TEST(OnnxImport, WeightsComputedAtRunTimeAreInputs) {
  SmallModel model;
  model.input("x", {-1, 3, 8, 8}).input("w", {16, 3, 3, 3}).node("Tanh", {"w"}, {"t"});
  model.node("Conv", {"x", "t"}, {"y"}).output("y");
  const Network network = imported(model);
  EXPECT_EQ(costs_of(network).parameters, 0);
  EXPECT_EQ(network.nodes.back().inputs.size(), 2U);
}

// A standard operator without a rule in Ergon: the onnx library infers its shapes.
TEST(OnnxImport, LibraryInfersShapesOfOperatorsWithoutRule) {
  SmallModel model;
  model.input("x", {4, 20, 8, 8}).input("rois", {5, 5}).node("MaxRoiPool", {"x", "rois"}, {"p"});
  model.list("pooled_shape", {2, 2}).weight("w", {3, 20, 1, 1});
  model.node("Conv", {"p", "w"}, {"y"}).output("y");
  const auto costs = graph::network_costs(imported(model), 4, Mode::inference);
  ASSERT_TRUE(costs) << costs.error().message;
  EXPECT_EQ(costs->unknown.size(), 1U);
  EXPECT_EQ(costs->totals.sum.macs, 5 * 2 * 2 * 3 * 20);
}

TEST(OnnxImport, ModelFunctionsAreInlined) {
  SmallModel model;
  model.input("x", {-1, 20}).weight("w", {20, 10});
  auto* function = model.proto.add_functions();
  function->set_name("Linear");
  function->set_domain("lib");
  for (const char* name : {"a", "b"}) function->add_input(name);
  function->add_output("c");
  auto* inner = function->add_node();
  inner->set_op_type("MatMul");
  inner->add_input("a");
  inner->add_input("b");
  inner->add_output("m");
  inner = function->add_node();
  inner->set_op_type("Relu");
  inner->add_input("m");
  inner->add_output("c");
  auto* import = model.proto.add_opset_import();
  import->set_domain("lib");
  import->set_version(1);
  model.node("Linear", {"x", "w"}, {"y"}, "lib").output("y");
  const Network network = imported(model);
  EXPECT_EQ(costs_of(network).macs, 200);
  EXPECT_EQ(network.layers.size(), 3U);
}

TEST(OnnxImport, RangesThatCountSamples) {
  SmallModel model;
  model.input("x", {-1, 8}).integers("zero", {0}, true).integers("one", {1}, true);
  model.node("Shape", {"x"}, {"whole"}).with("start", 0).with("end", 1);
  model.node("Squeeze", {"whole"}, {"samples"}).node("Range", {"zero", "samples", "one"}, {"numbers"});
  model.integers("axis", {1}).node("Unsqueeze", {"numbers", "axis"}, {"column"});
  model.node("Cast", {"column"}, {"real"}).with("to", 1).node("Add", {"x", "real"}, {"y"}).output("y");
  EXPECT_EQ(result_of(model), Shape::batch_of({8}));
}

TEST(OnnxImport, RangesWithOtherStartsAreUnsupported) {
  SmallModel model;
  model.input("x", {-1, 8}).integers("three", {3}, true).integers("one", {1}, true);
  model.node("Shape", {"x"}, {"whole"}).with("start", 0).with("end", 1);
  model.node("Squeeze", {"whole"}, {"samples"}).node("Range", {"three", "samples", "one"}, {"numbers"});
  model.node("Cast", {"numbers"}, {"real"}).with("to", 1).node("Add", {"x", "real"}, {"y"}).output("y");
  EXPECT_NE(model.error().find("depends on data or is not a multiple of the batch"), std::string::npos);
}

// PyTorch's unoptimized export of a convolution without bias.
TEST(OnnxImport, BiasOfZerosIsRemoved) {
  SmallModel model(18);
  model.input("x", {-1, 3, 8, 8}).weight("w", {16, 3, 3, 3}).integers("once", {1}).reals("zero", {0});
  model.node("Shape", {"w"}, {"channels"}).with("start", 0).with("end", 1);
  model.node("Expand", {"channels", "once"}, {"extent"});
  model.node("CastLike", {"zero", "x"}, {"same"}).node("Expand", {"same", "extent"}, {"bias"});
  model.node("Conv", {"x", "w", "bias"}, {"y"}).output("y");
  EXPECT_EQ(imported(model).nodes.size(), 2U);
  EXPECT_EQ(result_of(model), Shape::image_of(16, 6, 6));
  // No bias: no additions and no parameters.
  const Network network = imported(model);
  EXPECT_FALSE(std::get<Convolution>(network.nodes.back().operation).bias);
  EXPECT_EQ(network.nodes.back().weights.size(), 1U);
}

// For 3-d convolutions PyTorch exports zeros of an invalid shape.
TEST(OnnxImport, BiasOfZerosMayHaveAnyShape) {
  SmallModel model(18);
  model.input("x", {-1, 3, 4, 8, 8})
      .weight("w", {16, 3, 3, 3, 3})
      .integers("extent", {16, 2})
      .reals("zero", {0});
  model.node("Expand", {"zero", "extent"}, {"bias"}).node("Conv", {"x", "w", "bias"}, {"y"}).output("y");
  EXPECT_FALSE(std::get<Convolution>(imported(model).nodes.back().operation).bias);
}

TEST(OnnxImport, BiasOfZerosOfATransposedConvolutionIsRemoved) {
  SmallModel model(18);
  model.input("x", {-1, 16, 8, 8}).weight("w", {16, 4, 2, 2}).integers("extent", {4});
  model.node("ConstantOfShape", {"extent"}, {"bias"})
      .node("ConvTranspose", {"x", "w", "bias"}, {"y"})
      .output("y");
  EXPECT_FALSE(std::get<TransposedConvolution>(imported(model).nodes.back().operation).bias);
}

TEST(OnnxImport, LearnedBiasOfZerosStays) {
  SmallModel model(18);
  model.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 3, 3}).reals("bias", {0, 0, 0, 0});
  model.node("Conv", {"x", "w", "bias"}, {"y"}).output("y");
  EXPECT_TRUE(std::get<Convolution>(imported(model).nodes.back().operation).bias);
  SmallModel one(18);
  one.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 3, 3}).reals("number", {1}).integers("extent", {4});
  one.node("Expand", {"number", "extent"}, {"bias"}).node("Conv", {"x", "w", "bias"}, {"y"}).output("y");
  EXPECT_TRUE(std::get<Convolution>(imported(one).nodes.back().operation).bias);
}

TEST(OnnxImport, TableWithOneRowPerSampleIsNotAnEmbedding) {
  SmallModel model;
  model.input("x", {-1, 8}).input("rows", {-1}, 7).integers("zero", {0}, true).integers("one", {1}, true);
  model.node("Shape", {"x"}, {"whole"}).with("start", 0).with("end", 1);
  model.node("Squeeze", {"whole"}, {"samples"}).node("Range", {"zero", "samples", "one"}, {"numbers"});
  model.integers("axis", {1}).node("Unsqueeze", {"numbers", "axis"}, {"column"});
  model.node("Gather", {"column", "rows"}, {"y"}).with("axis", 0).output("y");
  for (const Node& node : imported(model).nodes)
    EXPECT_FALSE(std::holds_alternative<Embedding>(node.operation));
}

// Broadcasting three rows of one number to three columns gives nine numbers: not computed.
TEST(OnnxImport, BroadcastColumnIsNotAList) {
  SmallModel model;
  model.input("x", {-1, 729})
      .integers("numbers", {1, 3, 3})
      .integers("column", {3, 1})
      .integers("three", {3});
  model.node("Reshape", {"numbers", "column"}, {"rows"}).node("Expand", {"rows", "three"}, {"square"});
  model.integers("flat", {-1}).node("Reshape", {"square", "flat"}, {"all"});
  model.node("ReduceProd", {"all"}, {"product"}).node("Reshape", {"product", "flat"}, {"extent"});
  model.node("ConstantOfShape", {"extent"}, {"zeros"}).node("Add", {"x", "zeros"}, {"y"}).output("y");
  EXPECT_NE(model.error().find("cannot be determined from the file"), std::string::npos);
}

TEST(OnnxImport, RecurrentLayersWithTheBatchFirst) {
  SmallModel model;
  model.input("x", {-1, 9, 3}).weight("w", {2, 18, 3}).weight("r", {2, 18, 6});
  model.node("GRU", {"x", "w", "r"}, {"y", "h"}).with("hidden_size", 6).with("layout", 1);
  model.text("direction", "bidirectional").output("y").output("h");
  const Network network = imported(model);
  EXPECT_EQ(to_text(network.values[network.outputs[0]].shape), "(batch, 9, 2, 6)");
  EXPECT_EQ(to_text(network.values[network.outputs[1]].shape), "(batch, 2, 6)");
}

TEST(OnnxImport, RecurrentLayers) {
  SmallModel model;
  model.input("x", {10, -1, 6}).weight("w", {1, 16, 6}).weight("r", {1, 16, 4}).weight("b", {1, 32});
  model.node("LSTM", {"x", "w", "r", "b"}, {"y", "h", "c"}).with("hidden_size", 4).output("y");
  const Network network = imported(model);
  EXPECT_EQ(to_text(network.values[network.outputs[0]].shape), "(10, 1, batch, 4)");
  EXPECT_EQ(costs_of(network).parameters, 16 * 6 + 16 * 4 + 32);
  EXPECT_EQ(costs_of(network, 3).macs, 3 * 10 * (16 * 6 + 16 * 4));
}

}  // namespace
}  // namespace ergon::graph::onnx
