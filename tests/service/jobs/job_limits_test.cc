#include "service/jobs/job_limits.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

class UsableMemory : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((folder_ / file).parent_path());
    ASSERT_TRUE(write_file(folder_ / file, text));
  }
  Bytes usable() const { return usable_memory(folder_.path()); }

  test::TemporaryFolder folder_;
  Bytes physical_ = bytes(static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES))) *
                    static_cast<double>(::sysconf(_SC_PAGESIZE));
};

TEST_F(UsableMemory, IsThatOfTheMachineWithoutControlGroups) {
  EXPECT_EQ(usable(), physical_);
  EXPECT_EQ(JobLimits{}.memory, usable_memory() / 4);
}

TEST_F(UsableMemory, IsThatOfTheContainer) {
  put("sys/fs/cgroup/memory.max", "1048576\n");
  EXPECT_EQ(usable(), Bytes{1048576});
}

TEST_F(UsableMemory, IsTheLeastOfAllGroupsAbove) {
  put("proc/self/cgroup", "1:name=x:/y\n0::/system.slice/ergon.service\n");
  put("sys/fs/cgroup/system.slice/memory.max", "3000000\n");
  put("sys/fs/cgroup/system.slice/ergon.service/memory.max", "max\n");
  EXPECT_EQ(usable(), Bytes{3000000});
  put("sys/fs/cgroup/system.slice/ergon.service/memory.max", "2000000\n");
  EXPECT_EQ(usable(), Bytes{2000000});
}

TEST_F(UsableMemory, AcceptsVersion1) {
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(usable(), physical_);
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n");
  EXPECT_EQ(usable(), Bytes{5000000});
}

TEST_F(UsableMemory, IgnoresUnreadableLimits) {
  for (const char* text : {"", "x", "-1", "0", "max"}) {
    put("sys/fs/cgroup/memory.max", text);
    EXPECT_EQ(usable(), physical_) << text;
  }
}

}  // namespace
}  // namespace ergon::service
