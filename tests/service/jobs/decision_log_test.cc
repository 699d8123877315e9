#include "service/jobs/decision_log.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

class DecisionLogTest : public testing::Test {
 protected:
  void append(const std::string& text) const { std::ofstream(file(), std::ios::app) << text; }
  std::filesystem::path file() const { return folder_ / "decisions.csv"; }
  // The values of column n in the next piece.
  static std::vector<double> piece(DecisionLog& log) {
    std::vector<double> values;
    log.read([&](const nlohmann::ordered_json& decision) { values.push_back(decision["n"].get<double>()); });
    return values;
  }

  test::TemporaryFolder folder_;
};

TEST_F(DecisionLogTest, FollowsAGrowingLog) {
  DecisionLog log(file());
  EXPECT_TRUE(piece(log).empty());
  EXPECT_TRUE(log.at_end());
  append("n,reason\n0,a\n1");
  EXPECT_EQ(piece(log), std::vector<double>{0});
  append(",b\n2,c\nbroken\n3,d\n");
  EXPECT_EQ(piece(log), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(log.at_end());
}

TEST_F(DecisionLogTest, SkipsDecisions) {
  append("n,reason\n0,a\nbroken\n1,b\n2,c\n");
  DecisionLog one(file(), 1), two(file(), 2), many(file(), 100);
  EXPECT_EQ(piece(one), (std::vector<double>{1, 2}));
  EXPECT_EQ(piece(two), std::vector<double>{2});
  EXPECT_TRUE(piece(many).empty());
}

TEST_F(DecisionLogTest, ReadsALongLogInPieces) {
  std::string text = "n,reason\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "," + std::string(100, 'x') + "\n";
  append(text);
  DecisionLog log(file());
  std::vector<double> values;
  int pieces = 0;
  do {
    const auto next = piece(log);
    EXPECT_LE(next.size(), 200u);
    values.insert(values.end(), next.begin(), next.end());
    ++pieces;
  } while (!log.at_end());
  EXPECT_GT(pieces, 5);
  ASSERT_EQ(values.size(), 1000u);
  EXPECT_EQ(values.back(), 999);
}

}  // namespace
}  // namespace ergon::service
