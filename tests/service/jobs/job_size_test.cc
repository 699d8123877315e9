#include "service/jobs/job_size.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

Result<> checked(const Fields& options, double disk = 2e9) {
  JobLimits limits;
  limits.disk = Bytes{disk};
  return check_size(*find_job_kind("fleet"), options, limits);
}

TEST(JobSize, RejectsFleetsThatCannotFit) {
  const auto rejected = checked({{"hosts", "10000000"}, {"hours", "87840"}});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().kind, Errc::invalid_input);
  EXPECT_TRUE(rejected.error().message.starts_with("hosts, hours: this fleet needs about "))
      << rejected.error().message;
  EXPECT_FALSE(checked({{"hosts", "1e300"}, {"hours", "1e300"}}));
  EXPECT_FALSE(checked({{"hosts", "3000"}, {"hours", "1"}, {"gpus-per-host", "8"}}));
}

TEST(JobSize, AllowsFleetsThatFit) {
  EXPECT_TRUE(checked({{"hosts", "64"}, {"hours", "1"}}));
  EXPECT_TRUE(checked({{"hosts", "1024"}, {"hours", "1"}}));
  EXPECT_TRUE(checked({{"hosts", "6000"}, {"hours", "1"}, {"loss", "50%"}}));
  EXPECT_FALSE(checked({{"hosts", "6000"}, {"hours", "1"}}));
}

// A fleet that loses everything would need no disk.
TEST(JobSize, CountsALossOf99PercentAtMost) {
  for (const char* loss : {"99%", "100%", "1000%"})
    EXPECT_FALSE(checked({{"hosts", "10000000"}, {"hours", "87840"}, {"loss", loss}})) << loss;
}

// Never more than `ergon fleet generate` writes: 12 hosts and one hour are 4.8 MiB (tests/e2e/fleet.md).
TEST(JobSize, IsALowerBound) { EXPECT_TRUE(checked({{"hosts", "12"}, {"hours", "1"}}, 4.8e6)); }

TEST(JobSize, LeavesOtherErrorsToTheCommand) {
  for (const char* hosts : {"0", "-5", "nan", "x", ""})
    EXPECT_TRUE(checked({{"hosts", hosts}, {"hours", "1e9"}})) << hosts;
  EXPECT_TRUE(checked({{"hosts", "1"}}));
  EXPECT_TRUE(checked({{"hosts", "1"}, {"hours", "1"}, {"loss", "x"}, {"gpus-per-host", "-1"}}));
  EXPECT_TRUE(check_size(*find_job_kind("sweep"), {{"repeat", "1e9"}}, {}));
}

}  // namespace
}  // namespace ergon::service
