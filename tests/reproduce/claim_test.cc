#include "reproduce/claim.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::reproduce {
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

Claim measured_claim() {
  return {.where = "5.3",
          .claim = "ratio",
          .paper = "2 to 5",
          .ours = "3",
          .verdict = Verdict::exactly,
          .id = "ratio",
          .source = ClaimSource::measured};
}

TEST(ClaimsText, NamesTheSourceAndWhyAClaimWasNotChecked) {
  EXPECT_EQ(claims_text({measured_claim(), not_checked(measured_claim(), "no tables")}, {}),
            " 1  5.3  holds: exactly (measured)\n"
            "    ratio\n"
            "    paper: 2 to 5    here: 3\n"
            "\n"
            " 2  5.3  not checked\n"
            "    ratio\n"
            "    paper: 2 to 5    here: not checked: no tables\n");
}

TEST(ClaimsJson, HasOneFormatForAllClaims) {
  const nlohmann::json claims = nlohmann::json::parse(
      claims_json({measured_claim(),
                   not_checked(measured_claim(), "no tables"),
                   {.where = "1", .claim = "c", .ours = "o", .verdict = Verdict::no, .reason = "r"}})
          .dump());
  EXPECT_EQ(claims[0], nlohmann::json::parse(R"({"id": "ratio", "where": "5.3", "claim": "ratio",
      "paper": "2 to 5", "ours": "3", "holds": "exactly", "source": "measured", "fitted": false, "reason": null})"));
  EXPECT_EQ(claims[1], nlohmann::json::parse(R"({"id": "ratio", "where": "5.3", "claim": "ratio",
      "paper": "2 to 5", "ours": "not checked: no tables", "holds": null, "source": null, "fitted": false,
      "reason": null})"));
  EXPECT_EQ(claims[2],
            nlohmann::json::parse(R"({"id": null, "where": "1", "claim": "c", "paper": "", "ours": "o",
      "holds": "no", "source": null, "fitted": false, "reason": "r"})"));
}

TEST(ClaimCounts, OnlyClaimsThatWereCheckedCanFail) {
  std::vector<Claim> claims{measured_claim(), not_checked(measured_claim(), "no tables")};
  EXPECT_TRUE(all_hold(claims));
  claims.push_back({.verdict = Verdict::approximately});
  EXPECT_TRUE(all_hold(claims));
  claims.push_back({.verdict = Verdict::no});
  EXPECT_FALSE(all_hold(claims));
  const ClaimCounts counts = count_of(claims);
  EXPECT_EQ(counts.claims, 4U);
  EXPECT_EQ(counts.hold(), 2U);
  EXPECT_EQ(counts.no, 1U);
  EXPECT_EQ(counts.not_checked, 1U);
}

}  // namespace
}  // namespace ergon::reproduce
