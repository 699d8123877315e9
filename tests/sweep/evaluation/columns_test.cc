#include "sweep/evaluation/columns.h"

#include <gtest/gtest.h>

namespace ergon::sweep {
namespace {

using Names = std::vector<std::string>;

const Names kForeign{"application", "sm_app_clock", "power_usage", "run_time", "a=b"};
const Names kMappings{"network=application", "clock=sm_app_clock", "power=power_usage", "time=run_time"};

std::string fault(const Names& names, const Names& mappings) {
  const auto sources = field_sources(names, mappings);
  return sources ? "none" : sources.error().message;
}

TEST(Columns, RunsCsvNeedsNoMapping) {
  const auto sources = field_sources(
      Names{"network", "clock_requested_mhz", "clock_observed_mhz", "time_seconds", "power_max_watts"}, {});
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::clock_requested).unit, 1e6);
  EXPECT_EQ(sources->at(Field::clock_observed).columns, Names{"clock_observed_mhz"});
  EXPECT_FALSE(sources->contains(Field::energy));
}

TEST(Columns, ShortNamesAreAccepted) {
  const auto sources = field_sources(Names{"network", "clock", "time", "power"}, {});
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::power_mean).columns, Names{"power"});
}

TEST(Columns, OtherNamesAreMapped) {
  const auto sources = field_sources(kForeign, kMappings);
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::network).columns, Names{"application"});
  EXPECT_EQ(sources->at(Field::clock_requested).columns, Names{"sm_app_clock"});
  EXPECT_EQ(sources->at(Field::power_mean).columns, Names{"power_usage"});
  EXPECT_EQ(sources->at(Field::time).unit, 1);
}

TEST(Columns, AReversedMappingIsAcceptedIfUnambiguous) {
  const auto reversed = field_sources(kForeign, Names{"application=network", "sm_app_clock=clock",
                                                      "power_usage=power_mean_watts", "run_time=time"});
  ASSERT_TRUE(reversed) << reversed.error().message;
  EXPECT_EQ(reversed->at(Field::power_mean).columns, Names{"power_usage"});
  // If both are possible, OURS is on the left.
  const auto both =
      field_sources(Names{"network", "clock", "time", "power"}, Names{"time=power", "power=time"});
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->at(Field::time).columns, Names{"power"});
}

TEST(Columns, ANetworkNameMayJoinColumns) {
  const Names names{"benchmark", "argNo", "f", "t", "P"};
  const auto sources = field_sources(names, Names{"network=benchmark+argNo", "clock=f", "time=t", "power=P"});
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::network).columns, (Names{"benchmark", "argNo"}));
  EXPECT_NE(fault(names, {"network=benchmark", "clock=f+t", "time=t", "power=P"})
                .find("only network can be joined"),
            std::string::npos);
}

TEST(Columns, AUnitMayFollow) {
  const Names names{"n", "f", "t", "P", "odd:ms"};
  const auto sources = field_sources(names, Names{"network=n", "clock=f:GHz", "time=t:ms", "power=P:mW"});
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::clock_requested).unit, 1e9);
  EXPECT_EQ(sources->at(Field::time).unit, 1e-3);
  EXPECT_EQ(sources->at(Field::power_mean).unit, 1e-3);
  // A column whose name contains the suffix is not a unit.
  const auto odd = field_sources(names, Names{"network=n", "clock=f", "time=odd:ms", "power=P"});
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->at(Field::time).unit, 1);
  EXPECT_NE(fault(names, {"network=n", "clock=f:W", "time=t", "power=P"}), "none");
}

TEST(Columns, ColumnNamesMayContainAnEqualsSign) {
  const auto sources = field_sources(
      kForeign, Names{"network=a=b", "clock=sm_app_clock", "power=power_usage", "time=run_time"});
  ASSERT_TRUE(sources) << sources.error().message;
  EXPECT_EQ(sources->at(Field::network).columns, Names{"a=b"});
}

TEST(Columns, MissingColumnsAreListed) {
  const std::string message = fault(kForeign, {"network=application"});
  for (const char* part : {"clock (clock_requested_mhz)", "time (time_seconds)", "power_max_watts",
                           "sm_app_clock", "run_time", "--columns"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find("no column for network"), std::string::npos) << message;
}

TEST(Columns, RejectsInvalidMappings) {
  EXPECT_NE(fault(kForeign, {"network"}).find("OURS=THEIRS"), std::string::npos);
  EXPECT_NE(fault(kForeign, {"colour=application"}).find("OURS=THEIRS"), std::string::npos);
  EXPECT_NE(fault(kForeign, {"network=aplication"}).find("application"), std::string::npos);
  EXPECT_NE(fault(kForeign, {"network=application", "network=run_time"}).find("twice"), std::string::npos);
  EXPECT_NE(fault(kForeign, {"="}).find("OURS=THEIRS"), std::string::npos);
}

// Invalid mappings and missing columns have different error kinds.
TEST(Columns, DistinguishesInvalidMappingsFromMissingColumns) {
  const auto kind = [](const Names& mappings) {
    const auto sources = mapped_sources(kForeign, mappings);
    return sources ? std::optional<Errc>() : sources.error().kind;
  };
  for (const Names& mappings :
       {Names{"time"}, Names{"="}, Names{"time="}, Names{"colour=application"}, Names{"time=run_time:parsec"},
        Names{"clock=sm_app_clock:W"}, Names{"clock=sm_app_clock+run_time"},
        Names{"time=run_time", "time=power_usage"}})
    EXPECT_EQ(kind(mappings), Errc::invalid_input) << mappings.back();
  EXPECT_EQ(kind({"time=runtime"}), Errc::not_found);
  EXPECT_EQ(kind({"time=runtime:ms"}), Errc::not_found);
  EXPECT_EQ(kind({"network=application+size"}), Errc::not_found);
  EXPECT_EQ(kind({"time=run_time:ms"}), std::nullopt);
}

TEST(Columns, AMappedClockReplacesTheDefaultColumns) {
  const Names names{"network", "clock_observed_mhz", "time", "power", "mine"};
  const auto sources = field_sources(names, Names{"clock=mine"});
  ASSERT_TRUE(sources);
  EXPECT_FALSE(sources->contains(Field::clock_observed));
}

}  // namespace
}  // namespace ergon::sweep
