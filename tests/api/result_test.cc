// Results, units and the version, as a program that links libergon sees them.

#include <ergon/result.h>
#include <ergon/units.h>
#include <ergon/version.h>

#include <gtest/gtest.h>

namespace ergon {
namespace {

using namespace literals;

TEST(ApiResult, CarriesAValueOrAnError) {
  const Result<int> good = 7;
  const Result<int> bad = Error{Errc::invalid_input, "not a number"};
  EXPECT_EQ(good.value_or(0), 7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().in("line 3").message, "line 3: not a number");
  EXPECT_EQ(bad.error().in("line 3").kind, Errc::invalid_input);
  EXPECT_EQ(name_of(Errc::unknown_name), "unknown_name");
}

TEST(ApiResult, AbortsOnTheValueOfAFailure) {
  const Result<int> bad = Error{Errc::io, "gone"};
  EXPECT_DEATH((void)bad.value(), "broken contract");
  EXPECT_DEATH((void)Result<int>(7).error(), "broken contract");
  EXPECT_DEATH((void)Result<>().error(), "broken contract");
}

TEST(ApiUnits, AreChecked) {
  static_assert(250_W * 2_s == 500_J);
  static_assert(Cycles{3e9} / 1.5_GHz == 2_s);
  EXPECT_EQ((60_degC - 40_degC).si(), 20);
}

TEST(ApiVersion, IsThatOfTheHeaders) {
  EXPECT_EQ(version(), std::to_string(ERGON_VERSION_MAJOR) + "." + std::to_string(ERGON_VERSION_MINOR) + "." +
                           std::to_string(ERGON_VERSION_PATCH));
}

}  // namespace
}  // namespace ergon
