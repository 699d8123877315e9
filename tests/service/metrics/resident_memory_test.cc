#include "service/metrics/resident_memory.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

TEST(ResidentMemory, ReadsTheSecondNumberInPages) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "statm", "900 345 12 1 0 77 0\n"));
  EXPECT_EQ(resident_memory(folder.path() / "statm").value().si(),
            345.0 * static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

TEST(ResidentMemory, OfThisProcessIsPlausible) {
  const auto memory = resident_memory();
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_GT(memory->si(), 1e5);
  EXPECT_LT(memory->si(), 1e12);
}

TEST(ResidentMemory, RejectsOtherContents) {
  const test::TemporaryFolder folder;
  for (const char* odd : {"", "900", "900 x", "900 -3"}) {
    ASSERT_TRUE(write_file(folder.path() / "statm", odd));
    EXPECT_EQ(resident_memory(folder.path() / "statm").error().kind, Errc::invalid_input) << odd;
  }
  EXPECT_EQ(resident_memory(folder.path() / "none").error().kind, Errc::not_found);
}

}  // namespace
}  // namespace ergon::service
