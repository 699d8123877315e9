#include "control/decision_log.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "table/csv/read.h"

namespace ergon::control {
namespace {

Decision logged_decision(double at, Point point, Point next, std::string reason) {
  Decision made;
  made.feedback.at = Seconds{at};
  made.feedback.lasted = Seconds{0.5};
  made.feedback.point = point;
  made.feedback.samples = 617;
  made.feedback.power = Watts{244};
  made.feedback.mean_power = Watts{243.2};
  made.feedback.cap = Watts{250};
  made.next = {next, std::move(reason)};
  return made;
}

TEST(DecisionLog, RoundTrips) {
  const ergon::test::TemporaryFolder folder;
  const std::string file = (folder / "log.csv").string();
  std::vector<Decision> decisions{
      logged_decision(0.1, {1, Hertz{500e6}}, {2, Hertz{1e9}}, "243 W: \"headroom\", and more"),
      logged_decision(0.2, {2, {}}, {2, {}}, "no\nchange"),
  };
  decisions[1].feedback.power = std::nullopt;
  decisions[1].feedback.temperature = Celsius{41.5};
  {
    auto log = DecisionLog::create(file).value();
    for (const Decision& each : decisions) ASSERT_TRUE(log.add(each));
  }
  const auto read = table::read_csv(file);
  ASSERT_TRUE(read) << read.error().message;
  const auto cell = [&](const char* column, std::size_t row) {
    return (*read->table.column(column).value()).cell(row);
  };
  ASSERT_EQ(read->table.rows(), 2u);
  EXPECT_EQ(read->table.names().size(), 12u);
  EXPECT_EQ(cell("time_seconds", 0), "0.1");
  EXPECT_EQ(cell("batch", 0), "1");
  EXPECT_EQ(cell("clock_hertz", 0), "500000000");
  EXPECT_EQ(cell("clock_hertz", 1), "");
  EXPECT_EQ(cell("power_watts", 0), "244");
  EXPECT_EQ(cell("power_watts", 1), "");
  EXPECT_EQ(cell("mean_power_watts", 0), "243.2");
  EXPECT_EQ(cell("cap_watts", 0), "250");
  EXPECT_EQ(cell("throughput_samples_per_second", 0), "1234");
  EXPECT_EQ(cell("latency_seconds", 0), "");
  EXPECT_EQ(cell("temperature_celsius", 1), "41.5");
  EXPECT_EQ(cell("next_batch", 0), "2");
  EXPECT_EQ(cell("next_clock_hertz", 0), "1000000000");
  EXPECT_EQ(cell("reason", 0), decisions[0].next.reason);
  EXPECT_EQ(cell("reason", 1), decisions[1].next.reason);
}

TEST(DecisionLog, FailsIfTheFileCannotBeCreated) {
  EXPECT_FALSE(DecisionLog::create("/no/such/folder/log.csv"));
}

}  // namespace
}  // namespace ergon::control
