#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "table/csv/read.h"

namespace ergon::table {
namespace {

TEST(CsvProgress, RisesToTheWholeTextOnTheCallingThread) {
  std::string text = "n\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + "\n";
  const std::size_t body = text.size() - 2;
  std::vector<std::size_t> seen;
  CsvOptions options{.threads = 3, .piece_size = 100};
  options.on_progress = [&, caller = std::this_thread::get_id()](std::size_t done, std::size_t total) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(total, body);
    seen.push_back(done);
  };
  ASSERT_TRUE(parse_csv(text, "text", options));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), body);
}

// A column that is read again as text does not reset the count.
TEST(CsvProgress, CountsEachByteOnce) {
  std::string text = "n\n";
  for (int i = 0; i < 50000; ++i) text += "1\n";
  text += "x\n";
  std::vector<std::size_t> seen;
  CsvOptions options{.threads = 1, .piece_size = 1000};
  options.on_progress = [&](std::size_t done, std::size_t) { seen.push_back(done); };
  ASSERT_TRUE(parse_csv(text, "text", options));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

}  // namespace
}  // namespace ergon::table
