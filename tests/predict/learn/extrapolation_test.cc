#include "predict/learn/extrapolation.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "predict/estimate/some_iterations.h"
#include "predict/predictor.h"

namespace ergon::predict {
namespace {

using graph::Mode;

graph::Network dense_in(graph::ElementType type) {
  graph::Builder b("onnx", "dense");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 4096}), type);
  return b.finish({b.add("dense", "MatMul", graph::Dense{4096, false}, {x})}).value();
}

TEST(Extrapolation, ReportsDataTypesThatAreNotModeled) {
  const WorkloadConfig config{32, Mode::inference, device::Precision::tf32};
  const auto iteration = iteration_of(dense_in(graph::ElementType::int8), config).value();
  const auto outside = extrapolation_of(iteration, {Seconds{1}}, nullptr);
  EXPECT_EQ(outside.unmodeled_share, 1);
  EXPECT_EQ(outside.share, 0);
  ASSERT_EQ(outside.warnings.size(), 1u);
  EXPECT_EQ(outside.warnings[0],
            "the speed of int8 operations is not modeled; predicted as tf32 (100 % of the time)");
}

// int8 has up to four times the rate of 32 bits: the interval has to contain that.
TEST(Extrapolation, TheIntervalOfAQuantizedNetworkContainsItsHighestSpeed) {
  const WorkloadConfig config{32, Mode::inference, device::Precision::tf32};
  for (const char* device : {"h200", "a30"}) {
    const Predictor predictor(test::gpu_named(device));
    const auto quantized = predictor.prepare(dense_in(graph::ElementType::int8), config).value();
    const auto plain = predictor.prepare(dense_in(graph::ElementType::float32), config).value();
    EXPECT_FALSE(quantized.warnings().empty());
    EXPECT_LT(quantized.predict({}).time.low, plain.predict({}).time.value / 4) << device;
    EXPECT_LE(plain.warnings().size(), quantized.warnings().size() - 1);
  }
}

TEST(Extrapolation, OperationsOfUnknownCostAreAWarningAlsoWithoutTrainingData) {
  graph::Builder b("onnx", "det");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({8, 8}), graph::ElementType::float32);
  graph::Unknown det;
  det.type = "Det";
  det.results = {graph::Shape::batch_of({8})};
  const auto network = b.finish({b.add("det", "Det", det, {x})}).value();
  const WorkloadConfig config{32, Mode::inference, device::Precision::tf32};
  const auto outside = extrapolation_of(iteration_of(network, config).value(), {Seconds{1}}, nullptr);
  EXPECT_EQ(outside.share, 1);
  ASSERT_EQ(outside.warnings.size(), 1u);
  EXPECT_EQ(outside.warnings[0],
            "operations of unknown cost: only their launch is counted (100 % of the time)");
}

TEST(Extrapolation, FoldedBatchNormsAreAWarning) {
  graph::Network network = dense_in(graph::ElementType::float32);
  network.folded_batch_norms = 53;
  const Predictor predictor(test::gpu_named("a30"));
  const auto prepared = predictor.prepare(network, {1, Mode::inference, device::Precision::tf32}).value();
  ASSERT_EQ(prepared.warnings().size(), 1u);
  EXPECT_TRUE(prepared.warnings()[0].starts_with("53 batch norms of the file are folded"));
}

}  // namespace
}  // namespace ergon::predict
