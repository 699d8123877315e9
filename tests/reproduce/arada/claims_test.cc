#include "reproduce/arada/claims.h"

#include <map>

#include <gtest/gtest.h>

namespace ergon::reproduce {
namespace {

TEST(ComparePercent, IsExactIfItRoundsToThePrintedNumber) {
  EXPECT_EQ(compare_percent(38, 0, 38.4), Verdict::exactly);
  EXPECT_EQ(compare_percent(38, 0, 38.6), Verdict::approximately);
  EXPECT_EQ(compare_percent(6.5, 1, 6.54), Verdict::exactly);
  EXPECT_EQ(compare_percent(6.5, 1, 6.56), Verdict::approximately);
  EXPECT_EQ(compare_percent(31, 0, 23.8), Verdict::no);
  EXPECT_EQ(compare_percent(60, 0, 65.9), Verdict::approximately);  // within a tenth
  EXPECT_EQ(compare_percent(60, 0, 66.1), Verdict::no);
}

// A changed verdict must be examined: either the paper's number was mistyped, or the simulation has changed.
TEST(AradaClaims, HasTheKnownNumberOfEachVerdict) {
  const auto study = study_arada({});
  ASSERT_TRUE(study);
  EXPECT_EQ(study->survey.schedules.size(), 9U * 11U * study->survey.methods.size());
  std::map<Verdict, int> counts;
  for (const Claim& claim : arada_claims(*study)) {
    ++counts[claim.verdict];
    if (claim.verdict == Verdict::no) {
      EXPECT_FALSE(claim.reason.empty()) << claim.claim;
    }
  }
  EXPECT_EQ(counts[Verdict::exactly], 15);
  EXPECT_EQ(counts[Verdict::approximately], 6);
  EXPECT_EQ(counts[Verdict::no], 7);
}

// Simulated time is within the allowed time, a split of layers never costs energy, and every proof is
// complete.
TEST(AradaClaims, EveryOptimumOfTheSurveyIsProven) {
  const auto study = study_arada({});
  ASSERT_TRUE(study);
  const allocate::Survey& survey = study->survey;
  for (std::size_t i = 0; i < survey.configurations.size(); ++i) {
    for (std::size_t j = 0; j < survey.networks.size(); ++j) {
      for (const auto& [one, split] :
           {std::pair{kOptimal, kSplit}, {kOptimal2, kSplit2}, {kOptimal5, kSplit5}}) {
        for (const AradaMethod method : {one, split}) {
          const allocate::Schedule& schedule = survey.at(i, j, method);
          EXPECT_LE(schedule.simulated.si(), schedule.allowed->si() * (1 + 1e-9)) << survey.networks[j];
          EXPECT_TRUE(schedule.certificate->exact) << survey.networks[j];
        }
        EXPECT_LE(survey.at(i, j, split).energy_ratio, survey.at(i, j, one).energy_ratio + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace ergon::reproduce
