#include "service/jobs/process_memory.h"

#include <gtest/gtest.h>

#include "service/jobs/process.h"
#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

class GroupMemoryTest : public testing::Test {
 protected:
  void put(int pid, const std::string& stat, const std::string& status, const std::string& rollup = "") {
    const auto process = folder_ / std::to_string(pid);
    std::filesystem::create_directories(process);
    ASSERT_TRUE(write_file(process / "stat", stat));
    ASSERT_TRUE(write_file(process / "status", status));
    if (rollup.empty()) return;
    ASSERT_TRUE(write_file(process / "smaps_rollup", rollup));
  }
  GroupMemory memory_of(int group) const { return GroupMemory(group, folder_.path()); }

  test::TemporaryFolder folder_;
};

constexpr Instant kNow{5};

TEST_F(GroupMemoryTest, AddsAllProcessesOfTheGroup) {
  put(10, "10 (ergon) S 1 10 10 0",
      "Name:\tergon\nRssAnon:\t 100 kB\nRssFile:\t 1000 kB\nRssShmem:\t 20 kB\n");
  put(11, "11 (a) b) 1 (c) R 10 10 10 0", "RssAnon:\t 3 kB\nVmSwap:\t 4 kB\n");
  put(12, "12 (other) S 1 12 12 0", "RssAnon:\t 1000 kB\n");
  put(13, "", "RssAnon:\t 1000 kB\n");
  std::filesystem::create_directories(folder_ / "self");
  EXPECT_EQ(memory_of(10).upper_bound(kNow), Bytes{127 * 1024.0});
  EXPECT_EQ(memory_of(99).upper_bound(kNow), Bytes{});
}

TEST_F(GroupMemoryTest, DividesSharedPages) {
  put(10, "10 (ergon) S 1 10", "RssAnon:\t 100 kB\n", "Pss:\t 90 kB\nPss_Anon:\t 60 kB\nSwapPss:\t 1 kB\n");
  put(11, "11 (child) S 10 10", "RssAnon:\t 100 kB\n");  // not readable
  GroupMemory memory = memory_of(10);
  EXPECT_EQ(memory.upper_bound(kNow), Bytes{200 * 1024.0});
  EXPECT_EQ(memory.proportional(), Bytes{161 * 1024.0});
}

TEST_F(GroupMemoryTest, FindsNewProcesses) {
  put(10, "10 (ergon) S 1 10", "RssAnon:\t 1 kB\n");
  GroupMemory memory = memory_of(10);
  EXPECT_EQ(memory.upper_bound(kNow), Bytes{1024});
  put(11, "11 (child) S 10 10", "RssAnon:\t 2 kB\n");
  EXPECT_EQ(memory.upper_bound(kNow + Seconds{1}), Bytes{3 * 1024.0});
  std::filesystem::remove_all(folder_ / "10");
  EXPECT_EQ(memory.upper_bound(kNow + Seconds{1.1}), Bytes{2 * 1024.0});
}

// The real files of the kernel.
TEST_F(GroupMemoryTest, SeesAllocations) {
  auto process = Process::start({"/bin/sh", "-c", "m=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 30"},
                                folder_ / "out", folder_ / "err");
  ASSERT_TRUE(process);
  GroupMemory memory(process->group());
  EXPECT_TRUE(test::eventually([&] { return memory.upper_bound(SystemClock().now()) >= Bytes{30e6}; }));
  EXPECT_GE(memory.proportional(), Bytes{20e6});
  EXPECT_LT(memory.proportional(), Bytes{300e6});
}

}  // namespace
}  // namespace ergon::service
