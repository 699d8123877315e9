#include "report/sanity.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

std::string error_of(const Json& body) {
  const auto checked = check_sanity(body);
  if (checked) return "none";
  EXPECT_EQ(checked.error().kind, Errc::internal);
  EXPECT_NE(checked.error().message.find("please report"), std::string::npos);
  return checked.error().message;
}

TEST(Sanity, AcceptsWhatIsPossible) {
  EXPECT_EQ(error_of({{"time_seconds", {{"value", 2.0}, {"low", 1.0}, {"high", 3.0}}}}), "none");
  EXPECT_EQ(error_of({{"time_seconds", 0.0}, {"error", -0.5}, {"absent", nullptr}, {"name", "a"}}), "none");
  EXPECT_EQ(error_of({{"mean_power_watts", -1.0}, {"list", {1.0, -2.0}}, {"flag", true}}), "none");
}

TEST(Sanity, EnergyAboveIdleMayBeNegative) {
  const Json above{
      {"energy_joules", -3.0}, {"idle_power_watts", 80.0}, {"sources", {{{"energy_joules", -3.0}}}}};
  EXPECT_EQ(error_of(above), "none");
  EXPECT_NE(
      error_of({{"energy_joules", -3.0}, {"idle_power_watts", nullptr}}).find("energy_joules is negative"),
      std::string::npos);
  EXPECT_NE(error_of({{"idle_power_watts", 80.0}, {"gross", {{"energy_joules", -1.0}}}})
                .find("gross.energy_joules is negative"),
            std::string::npos);
}

TEST(Sanity, FindsNumbersThatAreNotFinite) {
  EXPECT_NE(error_of({{"a", {{"b", {1.0, NAN}}}}}).find("a.b[1] is nan"), std::string::npos);
  EXPECT_NE(error_of({{"power_watts", INFINITY}}).find("power_watts is inf"), std::string::npos);
}

TEST(Sanity, FindsNegativeQuantities) {
  EXPECT_NE(error_of({{"points", {{{"power_watts", -1.0}}}}}).find("points[0].power_watts is negative"),
            std::string::npos);
  EXPECT_NE(error_of({{"time_seconds", {{"value", 1.0}, {"low", -1.0}, {"high", 3.0}}}}).find("negative"),
            std::string::npos);
}

TEST(Sanity, FindsValuesOutsideOfTheirIntervals) {
  EXPECT_NE(error_of({{"x", {{"value", 4.0}, {"low", 1.0}, {"high", 3.0}}}}).find("not in its interval"),
            std::string::npos);
}

TEST(Sanity, FindsIntervalsOutOfOrderAndInLists) {
  EXPECT_NE(error_of({{"x", {{"low", 3.0}, {"high", 1.0}}}}).find("x: an interval from 3 to 1"),
            std::string::npos);
  const Json curve{{"value", {2.0, 5.0}}, {"low", {1.0, 1.0}}, {"high", {3.0, 3.0}}};
  EXPECT_NE(error_of({{"curve", curve}}).find("curve[1]: 5 is not in its interval"), std::string::npos);
  EXPECT_NE(error_of({{"value", 4.0}, {"low", 1.0}, {"high", 3.0}}).find("the document: 4"),
            std::string::npos);
}

TEST(Sanity, FindsEnergyThatDoesNotAddUp) {
  Json energy{
      {"total_joules", 10.0}, {"attributed_joules", 6.0}, {"idle_joules", 3.0}, {"unattributed_joules", 1.0}};
  EXPECT_EQ(error_of({{"energy", energy}}), "none");
  energy["idle_joules"] = 4.0;
  EXPECT_NE(error_of({{"energy", energy}}).find("energy: the parts of the energy are 11 J of 10 J"),
            std::string::npos);
}

TEST(Sanity, FindsSharesAboveOne) {
  EXPECT_NE(error_of({{"measured_operations_share", 1.5}}).find("not between 0 and 1"), std::string::npos);
}

}  // namespace
}  // namespace ergon::report
