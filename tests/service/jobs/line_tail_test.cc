#include "service/jobs/line_tail.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

using Lines = std::vector<std::string>;

class LineTailTest : public testing::Test {
 protected:
  void append(const std::string& text) const {
    std::ofstream(file(), std::ios::app | std::ios::binary) << text;
  }
  std::filesystem::path file() const { return folder_ / "log"; }

  test::TemporaryFolder folder_;
};

TEST_F(LineTailTest, ThereIsNothingBeforeThereIsAFile) {
  LineTail tail(file());
  EXPECT_EQ(tail.more(), Lines{});
  append("");
  EXPECT_EQ(tail.more(), Lines{});
  append("a\n");
  EXPECT_EQ(tail.more(), Lines{"a"});
  EXPECT_EQ(tail.more(), Lines{});
}

TEST_F(LineTailTest, HalfALineWaitsForItsOtherHalf) {
  LineTail tail(file());
  append("one\ntw");
  EXPECT_EQ(tail.more(), Lines{"one"});
  EXPECT_EQ(tail.more(), Lines{});
  append("o");
  EXPECT_EQ(tail.more(), Lines{});
  append("\n\nthree\n");
  EXPECT_EQ(tail.more(), (Lines{"two", "", "three"}));
}

TEST_F(LineTailTest, LongLinesAndManyOfThem) {
  LineTail tail(file());
  Lines expected;
  std::string text;
  for (const std::size_t length : {65535UL, 65536UL, 65537UL, 200000UL, 0UL, 1UL}) {
    expected.emplace_back(length, 'x');
    text += expected.back() + "\n";
  }
  append(text);
  EXPECT_EQ(tail.more(), expected);
}

}  // namespace
}  // namespace ergon::service
