#include "device/twin/network_precision.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/zoo/zoo.h"

namespace ergon::device {
namespace {

using graph::ElementType;

// A dense layer on tokens of one data type.
graph::Network dense_in(ElementType type) {
  graph::Builder b("onnx", "dense");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}), type);
  return b.finish({b.add("dense", "MatMul", graph::Dense{1024, false}, {x})}).value();
}

graph::Network quantization(ElementType to) {
  graph::Builder b("onnx", "quantization");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}));
  b.open("q", "QuantizeLinear");
  const auto y = b.try_put(graph::Elementwise{graph::Function::quantize, to, std::nullopt}, {x}, {{}, {to}});
  return b.finish({y.value().front()}).value();
}

TEST(DefaultPrecision, IsThatOfTheWeights) {
  EXPECT_EQ(default_precision(dense_in(ElementType::float32)), Precision::tf32);
  EXPECT_EQ(default_precision(dense_in(ElementType::float16)), Precision::fp16);
  EXPECT_EQ(default_precision(dense_in(ElementType::bfloat16)), Precision::bf16);
  EXPECT_EQ(default_precision(dense_in(ElementType::float64)), Precision::tf32);
  EXPECT_EQ(default_precision(dense_in(ElementType::int8)), Precision::tf32);
}

TEST(DefaultPrecision, OfAZooNetworkIsTf32) {
  EXPECT_EQ(default_precision(graph::zoo::build(**graph::zoo::find("resnet18")).value()), Precision::tf32);
}

TEST(DefaultPrecision, IsThatOfMostWeights) {
  graph::Network network = dense_in(ElementType::float16);
  network.nodes.back().weights.push_back(
      {graph::WeightRole::bias, graph::Shape{{1024}}, ElementType::float32, false});
  EXPECT_EQ(default_precision(network), Precision::fp16);
  network.nodes.back().weights.back().shape = graph::Shape{{1024}, {1024}};
  EXPECT_EQ(default_precision(network), Precision::tf32);
}

TEST(DefaultPrecision, OfIntegerWeightsIsThatOfTheTensors) {
  graph::Network network = dense_in(ElementType::float16);
  network.nodes.back().weights.front().type = ElementType::int4;
  EXPECT_EQ(default_precision(network), Precision::fp16);
}

TEST(DefaultPrecision, WithoutWeightsIsThatOfTheTensors) {
  graph::Builder b("onnx", "relu");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({8}), ElementType::bfloat16);
  const auto network = b.finish({b.add("y", "Relu", graph::Elementwise{graph::Function::relu}, {x})}).value();
  EXPECT_EQ(default_precision(network), Precision::bf16);
}

TEST(UnmodeledType, IsReportedForProductsAndConversions) {
  for (const ElementType type : {ElementType::int8, ElementType::uint8, ElementType::int4,
                                 ElementType::float8, ElementType::float64}) {
    const auto network = dense_in(type);
    EXPECT_EQ(unmodeled_type(network, network.nodes.back()), type) << name_of(type);
  }
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    const auto network = dense_in(type);
    EXPECT_EQ(unmodeled_type(network, network.nodes.back()), std::nullopt) << name_of(type);
  }
  const auto network = quantization(ElementType::int8);
  EXPECT_EQ(unmodeled_type(network, network.nodes.back()), ElementType::int8);
}

TEST(UnmodeledType, OfIntegerWeightsBehindFloatInputs) {
  graph::Network network = dense_in(ElementType::float16);
  network.nodes.back().weights.front().type = ElementType::int4;
  EXPECT_EQ(unmodeled_type(network, network.nodes.back()), ElementType::int4);
}

TEST(UnmodeledType, IsAWarningOfTheNetwork) {
  EXPECT_EQ(unmodeled_warning(dense_in(ElementType::int8), Precision::tf32),
            "the speed of int8 operations is not modeled; computed as tf32");
  EXPECT_EQ(unmodeled_warning(dense_in(ElementType::float16), Precision::fp16), std::nullopt);
}

TEST(UnmodeledType, IsNotMeasuredByEnginesEither) {
  EXPECT_EQ(unmeasured_warning(dense_in(ElementType::int8), Precision::tf32),
            "int8 operations are measured as tf32");
  EXPECT_EQ(unmeasured_warning(dense_in(ElementType::float16), Precision::fp16), std::nullopt);
}

TEST(StoredBytes, AreThoseOfThePrecisionOrOfFloat64) {
  EXPECT_EQ(stored_bytes(ElementType::float32, Precision::tf32), 4);
  EXPECT_EQ(stored_bytes(ElementType::float16, Precision::fp32), 4);
  EXPECT_EQ(stored_bytes(ElementType::float64, Precision::tf32), 8);
  EXPECT_EQ(stored_bytes(ElementType::float64, Precision::fp16), 2);
}

}  // namespace
}  // namespace ergon::device
