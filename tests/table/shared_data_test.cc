// Larger public data that is not part of the repository; read if it is present beside it.

#include <filesystem>

#include <gtest/gtest.h>

#include "table/csv/read.h"

namespace ergon::table {
namespace {

const std::filesystem::path kFleet = std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/fleet";

class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFleet)) GTEST_SKIP() << "no ../shared/data beside the repository";
    const auto small = read_csv(kFleet / "task-x-y.csv.xz");
    if (!small && small.error().kind == Errc::unsupported) GTEST_SKIP() << "no xz in this build";
  }
};

std::vector<Type> types_of(const Table& table) {
  std::vector<Type> types;
  for (const Column& column : table.columns()) types.push_back(column.type());
  return types;
}

// Row counts as its publishers give them.
TEST_F(SharedData, FleetEventsAreReadWhole) {
  const auto events = read_csv(kFleet / "application-checkpoints.csv.xz");
  ASSERT_TRUE(events) << events.error().message;
  EXPECT_EQ(events->table.rows(), 660'400u);
  EXPECT_EQ(types_of(events->table),
            (std::vector{Type::timestamp, Type::text, Type::text, Type::text, Type::text, Type::text}));
  EXPECT_EQ((*events->table.column("eventType"))->text().dictionary->size(), 2u);
}

TEST_F(SharedData, FleetTelemetryKeepsTheZerosOfItsSerialNumbers) {
  const auto samples = read_csv(kFleet / "gpu-real-rows-subset.csv.xz");
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(types_of(samples->table), (std::vector{Type::timestamp, Type::text, Type::text, Type::text,
                                                   Type::float64, Type::int64, Type::int64, Type::int64}));
  EXPECT_EQ((*samples->table.column("gpuSerial"))->text_at(0), "0325017019589");
}

}  // namespace
}  // namespace ergon::table
