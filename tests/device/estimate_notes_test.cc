#include "device/twin/estimate_notes.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"

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

TEST(SubstituteArithmetic, IsFp32) {
  const auto v100 = find_device("v100").value();
  EXPECT_EQ(substitute_arithmetic(v100, Precision::fp32), std::nullopt);
  EXPECT_EQ(substitute_arithmetic(v100, Precision::fp16), std::nullopt);
  EXPECT_EQ(substitute_arithmetic(v100, Precision::tf32), "the arithmetic is fp32");
  EXPECT_EQ(substitute_arithmetic(v100, Precision::bf16), "the arithmetic is fp32, storage is 16 bits");
}

}  // namespace
}  // namespace ergon::device
