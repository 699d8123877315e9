#include "control/caps/reread_cap.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::control {
namespace {

using namespace literals;

TEST(RereadCap, ReadsAgainOnRequestOnly) {
  const ergon::test::TemporaryFolder folder;
  const auto path = folder / "cap.txt";
  const auto write = [&](const char* text) {
    std::ofstream(path, std::ios::trunc) << text;
    // The same size and time: the file seems unchanged.
    std::filesystem::last_write_time(path, std::filesystem::file_time_type(std::chrono::seconds(1000000)));
  };
  write("250W\n");
  bool requested = false;
  const auto caps =
      reread_cap(file_cap(path.string()).value(), [&] { return std::exchange(requested, false); });
  EXPECT_EQ(caps->poll(0_s).value()->cap, 250_W);
  EXPECT_FALSE(caps->poll(1_s).value());
  write("150W\n");
  EXPECT_FALSE(caps->poll(2_s).value());
  requested = true;
  const auto changed = caps->poll(3_s).value();
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->cap, 150_W);
  EXPECT_FALSE(requested);
}

}  // namespace
}  // namespace ergon::control
