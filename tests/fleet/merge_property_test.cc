// Parts of any split of a fleet by host merge into the tally of the whole fleet, bit by bit.

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fleet/random_rows.h"
#include "fleet/summary/fleet_summary.h"
#include "fleet/tally_range.h"
#include "report/fleet_json.h"
#include "report/fleet_part.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;
using test::kHosts;
using test::random_rows;
using test::RandomRows;

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
  RC_ASSERT(static_cast<bool>(check_range(whole)));
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
