#include "graph/operation_types.h"

#include <gtest/gtest.h>

#include "graph/zoo/listing.h"

namespace ergon::graph {
namespace {

UniqueOperation operation(const std::string& kind, std::int64_t count, std::int64_t macs,
                          std::int64_t bytes) {
  UniqueOperation operation;
  operation.kind = kind;
  operation.count = count;
  operation.each.macs = macs;
  operation.each.flops = 2 * macs;
  operation.each.activation_bytes_read = bytes;
  return operation;
}

TEST(OperationTypes, AreSummedOverOccurrences) {
  const auto sums = sums_by_type(std::vector{operation("conv", 3, 10, 7), operation("conv", 2, 5, 1)});
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].kind, "conv");
  EXPECT_EQ(sums[0].count, 5);
  EXPECT_EQ(sums[0].macs, 40);
  EXPECT_EQ(sums[0].flops, 80);
  EXPECT_EQ(sums[0].bytes_moved, 23);
  EXPECT_DOUBLE_EQ(sums[0].intensity(), 80.0 / 23);
}

TEST(OperationTypes, AreSortedByMacsThenTrafficThenName) {
  const auto sums = sums_by_type(std::vector{operation("relu", 1, 0, 5), operation("add", 1, 0, 5),
                                             operation("pool", 1, 0, 9), operation("dense", 1, 1, 1)});
  std::vector<std::string> kinds;
  for (const OperationTypeSum& each : sums) kinds.push_back(each.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"dense", "pool", "add", "relu"}));
}

TEST(ZooListings, HaveEveryNetworkOrThoseOfAFamily) {
  const auto keras = zoo::listings("Keras").value();
  std::size_t in_family = 0;
  for (const zoo::Entry& entry : zoo::entries()) in_family += entry.family == "keras" ? 1 : 0;
  EXPECT_EQ(keras.size(), in_family);
  for (const zoo::Listing& each : keras) {
    EXPECT_EQ(each.entry->family, "keras");
    EXPECT_GT(each.depth, 0);
    EXPECT_GT(each.neurons, each.totals.layers);
  }
  const auto unknown = zoo::listings("kera");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Errc::unknown_name);
  EXPECT_TRUE(
      unknown.error().message.starts_with("unknown family \"kera\" (did you mean \"keras\"?); expected "));
}

}  // namespace
}  // namespace ergon::graph
