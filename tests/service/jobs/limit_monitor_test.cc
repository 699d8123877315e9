#include "service/jobs/limit_monitor.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

class LimitMonitorTest : public testing::Test {
 protected:
  LimitMonitor monitor() const { return {limits_, folder_.path(), kStart}; }

  static constexpr Instant kStart{1'000'000'000};
  JobLimits limits_;
  test::TemporaryFolder folder_;
};

TEST_F(LimitMonitorTest, AllowsWhatIsWithinTheLimits) {
  LimitMonitor monitor = this->monitor();
  EXPECT_FALSE(monitor.check(std::nullopt, kStart));
  EXPECT_FALSE(monitor.check(::getpgrp(), kStart + Seconds{24 * 3600.0}));
}

TEST_F(LimitMonitorTest, FindsLongJobs) {
  LimitMonitor monitor = this->monitor();
  const auto excess = monitor.check(std::nullopt, kStart + Seconds{24 * 3600.0 + 1});
  ASSERT_TRUE(excess);
  EXPECT_EQ(excess->message, "stopped: ran for more than 24 h; start a smaller job, or raise --job-time");
  EXPECT_FALSE(excess->urgent);
}

TEST_F(LimitMonitorTest, FindsLargeFoldersWithinASecond) {
  limits_.disk = Bytes{1000};
  LimitMonitor monitor = this->monitor();
  EXPECT_FALSE(monitor.check(std::nullopt, kStart));
  ASSERT_TRUE(write_file(folder_ / "file", std::string(2048, 'x')));
  const auto excess = monitor.check(std::nullopt, kStart + Seconds{60});
  ASSERT_TRUE(excess);
  EXPECT_EQ(excess->message,
            "stopped: wrote files of 2 KiB, more than 1000 B; start a smaller job, or raise --job-disk");
  EXPECT_EQ(monitor.disk(), Bytes{2048});
}

TEST_F(LimitMonitorTest, FindsLargeProcesses) {
  limits_.memory = Bytes{1000};
  LimitMonitor monitor = this->monitor();
  EXPECT_FALSE(monitor.check(std::nullopt, kStart)) << "no process";
  const auto excess = monitor.check(::getpgrp(), kStart);
  ASSERT_TRUE(excess);
  EXPECT_TRUE(excess->urgent);
  EXPECT_NE(excess->message.find("more than 1000 B"), std::string::npos) << excess->message;
}

// A file can exceed the limit until the monitor looks.
TEST_F(LimitMonitorTest, FilesMayBeLargerThanTheLimit) {
  limits_.disk = Bytes{1e9};
  EXPECT_GT(max_file_of(limits_), limits_.disk);
  EXPECT_LT(max_file_of(limits_), 1.2 * limits_.disk);
}

}  // namespace
}  // namespace ergon::service
