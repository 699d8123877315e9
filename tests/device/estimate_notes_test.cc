#include "device/twin/estimate_notes.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"
#include "graph/builder.h"

namespace ergon::device {
namespace {

TEST(NetworkErrors, AreMeansOverHeldOutRowsOfNetworkTables) {
  Specification gpu;
  EXPECT_TRUE(network_errors(gpu).empty());
  gpu.residuals = {{"networks", "time", 5, 10, 0, 0.1},       {"networks", "energy", 5, 10, 0, 0.3},
                   {"others", "time", 5, 30, 0, 0.2},         {"others", "energy", 5, 0, 0, 0},
                   {"applications", "time", 5, 1000, 0, 0.9},  // no energies: not whole networks
                   {"applications", "power", 5, 1000, 0, 0.9}};
  const auto errors = network_errors(gpu);
  ASSERT_EQ(errors.size(), 2u) << "power was not held out";
  EXPECT_EQ(errors[0].quantity, "time");
  EXPECT_NEAR(errors[0].mape, (10 * 0.1 + 30 * 0.2) / 40, 1e-12);
  EXPECT_EQ(errors[1].quantity, "energy");
  EXPECT_NEAR(errors[1].mape, 0.3, 1e-12);
}

TEST(NetworkErrors, OfOneKindAreTheLargestOfItsTables) {
  using graph::Mode;
  Specification gpu;
  gpu.peak_tflops = {{Precision::fp32, 15}, {Precision::fp16, 100}};
  const RunKind training{Mode::training, Precision::tf32, false};
  gpu.residuals = {{"networks", "time", 5, 10, 0, 0.1, {training}},
                   {"networks", "energy", 5, 10, 0, 0.3, {training}},
                   {"others", "time", 5, 30, 0, 0.2, {training, {Mode::inference, Precision::fp16, true}}},
                   {"others", "energy", 5, 30, 0, 0.2, {training}},
                   {"applications", "time", 5, 1000, 0, 0.9}};
  EXPECT_EQ(largest_network_error(gpu, "time", training), 0.2);
  EXPECT_EQ(largest_network_error(gpu, "energy", training), 0.3);
  EXPECT_EQ(largest_network_error(gpu, "time", {Mode::training, Precision::fp32, false}), 0.2)
      << "tf32 is fp32 on this GPU";
  EXPECT_EQ(largest_network_error(gpu, "time", {Mode::inference, Precision::fp16, true}), 0.2);
  for (const RunKind& other : {RunKind{Mode::training, Precision::tf32, true},
                               {Mode::inference, Precision::tf32},
                               {Mode::training, Precision::fp16},
                               {Mode::inference, Precision::fp16}})
    EXPECT_EQ(largest_network_error(gpu, "time", other), std::nullopt);
}

TEST(SameArithmetic, IsThatOfTheGpu) {
  const auto v100 = find_device("v100").value(), h200 = find_device("h200").value();
  EXPECT_TRUE(is_same_arithmetic(v100, Precision::tf32, Precision::fp32));
  EXPECT_FALSE(is_same_arithmetic(h200, Precision::tf32, Precision::fp32));
  EXPECT_FALSE(is_same_arithmetic(v100, Precision::bf16, Precision::fp16)) << "bf16 is fp32 there";
  EXPECT_FALSE(is_same_arithmetic(v100, Precision::bf16, Precision::fp32)) << "16 bits in memory";
  EXPECT_TRUE(is_same_arithmetic(h200, Precision::bf16, Precision::fp16));
}

TEST(UnsupportedWarning, IsOf16BitArithmeticThatTheGpuLacks) {
  const auto v100 = find_device("v100").value();
  EXPECT_EQ(unsupported_warning(v100, Precision::fp32), std::nullopt);
  EXPECT_EQ(unsupported_warning(v100, Precision::fp16), std::nullopt);
  EXPECT_EQ(unsupported_warning(v100, Precision::tf32), std::nullopt)
      << "PyTorch's default, which is fp32 there";
  EXPECT_EQ(unsupported_warning(v100, Precision::bf16),
            "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits");
}

TEST(PrecisionWarnings, AreOfUnmodeledTypesAndUnsupportedArithmetic) {
  graph::Builder b("onnx", "dense");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}), graph::ElementType::int8);
  const auto network = b.finish({b.add("dense", "MatMul", graph::Dense{1024, false}, {x})}).value();
  EXPECT_EQ(
      precision_warnings(network, Precision::bf16, find_device("v100").value()),
      (std::vector<std::string>{"the speed of int8 operations is not modeled; computed as bf16",
                                "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits"}));
  EXPECT_EQ(precision_warnings(network, Precision::bf16, find_device("h200").value()).size(), 1u);
}

}  // namespace
}  // namespace ergon::device
