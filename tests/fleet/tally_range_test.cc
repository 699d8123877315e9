#include "fleet/tally_range.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"
#include "report/fleet_part.h"

namespace ergon::fleet {
namespace {

using Json = nlohmann::ordered_json;

// Two hosts with two GPUs each, nested events, tasks at the same time, and idle time.
Tally small_fleet() {
  test::FleetFiles files;
  for (const std::string host : {"a", "b"}) {
    for (const char* gpu : {"GPU-0", "GPU-1"}) {
      for (std::int64_t at = 0; at <= 400'000; at += 2'000)
        files.sample(at, host, at % 50'000 < 40'000 ? "300,60,90,40" : "30,40,0,0", gpu);
    }
    for (int task = 0; task < 8; ++task) {
      files.event(task * 50'000, task * 50'000 + 40'000, host, "Whole", fmt::format("{}-{}", host, task));
      files.event(task * 50'000 + 5'000, task * 50'000 + 9'000, host, "Part",
                  fmt::format("{}-{}", host, task));
    }
    files.event(0, 400'000, host, "Other", host + "-other");
  }
  return files.tally();
}

Json part_of(const Tally& tally) {
  Json json = report::fleet_part_json(tally);
  json["schema"] = report::kFleetPartSchema;
  return json;
}

// Every number that is no integer, as a pointer into the document.
void floats_of(const Json& json, const Json::json_pointer& at, std::vector<Json::json_pointer>& found) {
  if (json.is_number_float()) found.push_back(at);
  if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) floats_of(json[i], at / i, found);
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) floats_of(value, at / key, found);
  }
}

TEST(TallyRange, AcceptsAnAnalysis) {
  const auto checked = check_range(small_fleet());
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(check_range(Tally{}));
}

// One at a time, every physical number of a part becomes impossible.
TEST(TallyRange, RejectsEveryImpossibleNumberOfAPart) {
  const Json part = part_of(small_fleet());
  ASSERT_TRUE(report::read_fleet_part(part.dump()));
  std::vector<Json::json_pointer> places;
  floats_of(part, Json::json_pointer(), places);
  EXPECT_GT(places.size(), 1000u);
  for (const auto& place : places) {
    for (const double value : {1e306, -1e306}) {
      Json wrong = part;
      wrong[place] = value;
      const auto read = report::read_fleet_part(wrong.dump());
      ASSERT_FALSE(read) << place.to_string() << " = " << value;
      EXPECT_EQ(read.error().kind, Errc::invalid_input);
    }
  }
}

TEST(FleetPart, OfAnotherVersionIsRejected) {
  Json part = part_of(small_fleet());
  part["schema"] = "ergon.fleet.part/2";
  const auto read = report::read_fleet_part(part.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "a fleet part of another version of Ergon (ergon.fleet.part/2; expected ergon.fleet.part/3); "
            "analyze again");
}

// Rows and jobs are marked even if the field of the part says otherwise.
TEST(FleetPart, OfMarkedRowsIsSimulated) {
  Json part = part_of(small_fleet());
  EXPECT_FALSE(report::read_fleet_part(part.dump())->simulated);
  part["jobs"] = {"simulated-lvl12-0"};
  EXPECT_TRUE(report::read_fleet_part(part.dump())->simulated);
}

TEST(TallyRange, NamesThePlaceTheFieldTheValueAndTheRange) {
  Tally tally = small_fleet();
  tally.hosts["a"].gpus[0].sums.sum[0] = 1e306;
  const auto checked = check_range(tally);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "host a, GPU GPU-0-a: sum of power is 1e+306 W; expected 0 to 402000 W");
}

// Each host is within the range of 64 bits in nanoseconds, 292 years; the fleet is not.
TEST(TallyRange, DurationsOfALargeFleetDoNotOverflow) {
  Tally tally;
  for (const char* name : {"a", "b", "c"}) {
    EventTotals& totals = tally.hosts[name].event_totals[{"Work", ""}];
    totals.events = 200'000;
    totals.shortest_ns = totals.longest_ns = 43'200'000'000'000;  // 12 h
    totals.duration_ns = 200'000 * 43.2e12;
    totals.duration_squares = 200'000 * 43'200.0 * 43'200;
    totals.uncovered = totals.events;
    tally.distributions[{"Work", ""}].durations_ns.add(totals.longest_ns, totals.events);
  }
  const auto checked = check_range(tally);
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_GT(3 * tally.hosts["a"].event_totals.begin()->second.duration_ns, static_cast<double>(INT64_MAX));
  const FleetSummary summary = summarize(tally);
  EXPECT_EQ(summary.outermost, "Work");
  ASSERT_EQ(summary.events.size(), 1u);
  EXPECT_DOUBLE_EQ(summary.events[0].seconds.value, 43'200);
}

TEST(TallyRange, PartsOfTheEnergySumToTheWhole) {
  Tally tally = small_fleet();
  GpuSums& sums = tally.hosts["b"].gpus[1].sums;
  ASSERT_GT(sums.events.energy.si(), 100);
  sums.events.energy -= Joules{50};
  const auto checked = check_range(tally);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("host b, GPU GPU-1-b: sum of the parts of the energy"),
            std::string::npos)
      << checked.error().message;
}

// The part of 1,024 hosts has 200 MB after a day and 1.1 GB after a week.
TEST(FleetPart, LargePartsAreRead) {
  EXPECT_EQ(report::fleet_part_limits().file_bytes, std::uint64_t{4} << 30);
  const auto tally = report::read_fleet_part("{\"hosts\": []}", {.file_bytes = 8});
  ASSERT_FALSE(tally);
  EXPECT_TRUE(tally.error().message.starts_with("larger than 8 B; set ERGON_INPUT_LIMITS=file=SIZE"));
}

TEST(FleetPart, ADeepPartIsRefused) {
  const auto tally =
      report::read_fleet_part("{\"hosts\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}");
  ASSERT_FALSE(tally);
  EXPECT_TRUE(tally.error().message.starts_with("nested deeper than 128 levels")) << tally.error().message;
}

}  // namespace
}  // namespace ergon::fleet
