#include "reproduce/claim.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

namespace ergon::app {
namespace {

TEST(ClaimsText, PrintsABlockPerClaimAndSharedReasonsOnce) {
  const std::vector<Claim> claims{{.where = "Table 1",
                                   .claim = "layers",
                                   .paper = "27 layers",
                                   .ours = "26 layers",
                                   .verdict = Verdict::approximately,
                                   .reason = "a misprint",
                                   .fitted = true},
                                  {.where = "Section 2",
                                   .claim = "savings",
                                   .paper = "",
                                   .ours = "none",
                                   .verdict = Verdict::no,
                                   .reason = "a misprint"}};
  EXPECT_EQ(claims_text(claims, {}),
            " 1  Table 1  holds: approximately, fitted\n"
            "    layers\n"
            "    paper: 27 layers    here: 26 layers\n"
            "    reason: a misprint\n"
            "\n"
            " 2  Section 2  holds: no\n"
            "    savings\n"
            "    here: none\n"
            "    reason: see claim 1\n");
}

TEST(ClaimsText, WrapsAt80ColumnsOrTheWidthOfTheStyle) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += i == 0 ? "word" : " word";
  const std::vector<Claim> claims{
      {.where = "1", .claim = words, .paper = words, .ours = words, .reason = words}};
  for (const auto& [width, max] : {std::pair{std::optional<std::size_t>(), 80U}, {40U, 40U}, {200U, 80U}}) {
    const std::string text = claims_text(claims, {.width = width});
    std::size_t longest = 0;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      end = text.find('\n', begin);
      longest = std::max(longest, end - begin);
    }
    EXPECT_LE(longest, max);
    EXPECT_GT(longest, max - 5);
  }
}

}  // namespace
}  // namespace ergon::app
