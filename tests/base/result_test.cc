#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace ergon {
namespace {

Result<int> half_of(int n) {
  if (n % 2 != 0) return fail(Errc::invalid_input, "{} is odd", n);
  return n / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  const auto good = half_of(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const auto bad = half_of(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, Errc::invalid_input);
  EXPECT_EQ(bad.error().message, "7 is odd");
}

TEST(Result, ErrorsGainContext) {
  EXPECT_EQ(half_of(7).error().in("line 3").in("a.csv").message, "a.csv: line 3: 7 is odd");
}

TEST(Result, AndThenStopsAtTheFirstFailure) {
  EXPECT_EQ(*half_of(12).and_then(half_of), 3);
  EXPECT_EQ(half_of(6).and_then(half_of).error().message, "3 is odd");
  EXPECT_EQ(half_of(5).and_then(half_of).error().message, "5 is odd");
}

TEST(Result, HoldsMoveOnlyTypes) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, OfNothingSucceedsByDefault) {
  EXPECT_TRUE(Result<>{});
  EXPECT_FALSE(Result<>{fail(Errc::io, "short write")});
}

TEST(ResultDeathTest, ReadingTheValueOfAFailureIsABrokenContract) {
  const auto bad = half_of(7);
  EXPECT_DEATH({ [[maybe_unused]] const int n = *bad; }, "broken contract");
  const auto good = half_of(8);
  EXPECT_DEATH({ [[maybe_unused]] const Error e = good.error(); }, "broken contract");
}

TEST(Errc, EveryKindHasAMapping) {
  for (const ErrorMapping& mapping : error_mappings()) {
    EXPECT_EQ(&mapping_of(mapping.kind), &mapping);
    EXPECT_GE(mapping.http_status, 400) << mapping.name;
  }
}

TEST(Errc, ExitCodesTellUsageErrorsAndInterruptionsFromFailures) {
  EXPECT_EQ(mapping_of(Errc::not_found).exit_code, kExitFailed);
  EXPECT_EQ(mapping_of(Errc::unknown_name).exit_code, kExitUsage);
  EXPECT_EQ(mapping_of(Errc::cancelled).exit_code, kExitInterrupted);
}

}  // namespace
}  // namespace ergon
