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

TEST_F(LineTailTest, IsEmptyWithoutAFile) {
  LineTail tail(file());
  EXPECT_EQ(tail.read_new_lines(), Lines{});
  append("");
  EXPECT_EQ(tail.read_new_lines(), Lines{});
  append("a\n");
  EXPECT_EQ(tail.read_new_lines(), Lines{"a"});
  EXPECT_EQ(tail.read_new_lines(), Lines{});
}

TEST_F(LineTailTest, ReturnsOnlyCompleteLines) {
  LineTail tail(file());
  append("one\ntw");
  EXPECT_EQ(tail.read_new_lines(), Lines{"one"});
  EXPECT_EQ(tail.read_new_lines(), Lines{});
  append("o");
  EXPECT_EQ(tail.read_new_lines(), Lines{});
  append("\n\nthree\n");
  EXPECT_EQ(tail.read_new_lines(), (Lines{"two", "", "three"}));
}

TEST_F(LineTailTest, ReadsLongAndManyLines) {
  LineTail tail(file());
  Lines expected;
  std::string text;
  for (const std::size_t length : {65535UL, 65536UL, 65537UL, 200000UL, 0UL, 1UL}) {
    expected.emplace_back(length, 'x');
    text += expected.back() + "\n";
  }
  append(text);
  EXPECT_EQ(tail.read_new_lines(1'000'000), expected);
}

TEST_F(LineTailTest, ReadsAFileInPieces) {
  LineTail tail(file());
  Lines expected, told;
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    expected.push_back(std::to_string(i));
    text += expected.back() + "\n";
  }
  append(text);
  for (bool end = false; !end; end = tail.at_end()) {
    const Lines piece = tail.read_new_lines(100);
    EXPECT_LE(piece.size(), 50u);
    told.insert(told.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(told, expected);
}

TEST_F(LineTailTest, SkipsAllButTheLastBytes) {
  LineTail tail(file());
  tail.skip_all_but(0);
  append("one\ntwo\nthree\n");
  tail.skip_all_but(100);
  tail.skip_all_but(6);
  EXPECT_EQ(tail.read_new_lines(), Lines{"three"});
  append("four\n");
  tail.skip_all_but(0);
  EXPECT_TRUE(tail.read_new_lines().empty());
}

// A program may write gigabytes without a line end.
TEST_F(LineTailTest, KeepsTheFirstMegabyteOfALine) {
  LineTail tail(file());
  append(std::string(3'000'000, 'x'));
  EXPECT_TRUE(tail.read_new_lines(4'000'000).empty());
  EXPECT_EQ(tail.partial_line().size(), 1'048'576u);
  append("y\nshort\n");
  EXPECT_EQ(tail.read_new_lines(), (Lines{std::string(1'048'576, 'x'), "short"}));
}

}  // namespace
}  // namespace ergon::service
