// Parts of any split of a fleet by host merge into the tally of the whole fleet, bit by bit.

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"
#include "report/fleet_json.h"
#include "report/fleet_part.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;

constexpr int kHosts = 5;

std::string host_name(int host) { return fmt::format("host-{}", host); }

// Rows, each with its host.
struct RandomRows {
  struct LogRow {
    int host = 0;
    bool sample = false;
    std::string text;
  };
  std::vector<LogRow> rows;

  FleetFiles of(const std::vector<bool>& wanted) const {
    FleetFiles files;
    for (const LogRow& row : rows) {
      if (wanted[static_cast<std::size_t>(row.host)])
        (row.sample ? files.samples : files.checkpoints).push_back(row.text);
    }
    return files;
  }
};

RandomRows random_rows() {
  RandomRows all;
  const int count = *rc::gen::inRange(1, 120);
  for (int i = 0; i < count; ++i) {
    const int host = *rc::gen::inRange(0, kHosts);
    const std::int64_t at = *rc::gen::inRange<std::int64_t>(0, 4000) * 50;
    FleetFiles one;
    if (*rc::gen::inRange(0, 3) == 0) {
      const std::string event = *rc::gen::element<std::string>("Whole", "Part");
      const std::string task = fmt::format("task-{}", *rc::gen::inRange(0, 4));
      one.row(at, host_name(host), event, *rc::gen::element<std::string>("START", "STOP"), task);
      all.rows.push_back({host, false, one.checkpoints.front()});
      // Some rows are duplicates.
      if (*rc::gen::inRange(0, 5) == 0) all.rows.push_back(all.rows.back());
    } else {
      const auto number = [] {
        return fmt::format("{}.{}", *rc::gen::inRange(0, 300), *rc::gen::inRange(0, 99));
      };
      one.sample(at, host_name(host),
                 fmt::format("{},{},{},{}", *rc::gen::inRange(0, 9) == 0 ? "[N/A]" : number(),
                             *rc::gen::inRange(20, 90), *rc::gen::inRange(0, 101), *rc::gen::inRange(0, 101)),
                 *rc::gen::element<std::string>("GPU-0", "GPU-1"));
      all.rows.push_back({host, true, one.samples.front()});
    }
  }
  return all;
}

Tally tally_of(const FleetFiles& files, const AnalysisRules& rules) {
  return files.checkpoints.empty() && files.samples.empty() ? Tally{rules} : files.tally(rules);
}

RC_GTEST_PROP(FleetMerge, AnySplitByHostEqualsTheWhole, ()) {
  const RandomRows all = random_rows();
  AnalysisRules rules;
  rules.keep_duplicates = *rc::gen::arbitrary<bool>();
  const Tally whole = tally_of(all.of(std::vector<bool>(kHosts, true)), rules);

  std::map<int, std::vector<bool>> shards;
  for (int host = 0; host < kHosts; ++host) {
    auto& shard = shards[*rc::gen::inRange(0, 3)];
    shard.resize(kHosts);
    shard[static_cast<std::size_t>(host)] = true;
  }
  std::optional<Tally> merged;
  for (const auto& [number, hosts] : shards) {
    // Through a part file.
    auto json = report::fleet_part_json(tally_of(all.of(hosts), rules));
    json["schema"] = report::kFleetPartSchema;
    const auto part = report::read_fleet_part(json.dump());
    RC_ASSERT(static_cast<bool>(part));
    if (!merged) {
      merged = *part;
    } else {
      RC_ASSERT(static_cast<bool>(merge(*merged, *part)));
    }
  }
  RC_ASSERT(*merged == whole);
  RC_ASSERT(report::fleet_json(summarize(*merged), {}, {true, true}).dump() ==
            report::fleet_json(summarize(whole), {}, {true, true}).dump());
}

// Ordered rows are streamed, shuffled rows are not; the results are equal.
RC_GTEST_PROP(FleetMerge, TheOrderOfRowsDoesNotMatter, ()) {
  FleetFiles files = random_rows().of(std::vector<bool>(kHosts, true));
  const Tally as_drawn = tally_of(files, {});
  std::sort(files.checkpoints.begin(), files.checkpoints.end());  // by time, the first field
  std::sort(files.samples.begin(), files.samples.end());
  RC_ASSERT(tally_of(files, {}) == as_drawn);
}

}  // namespace
}  // namespace ergon::fleet
