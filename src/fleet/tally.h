#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/account/activity.h"
#include "fleet/account/duration_series.h"
#include "fleet/account/event_totals.h"
#include "fleet/account/fleet_accumulator.h"
#include "fleet/account/host_account.h"
#include "fleet/reading/row_counts.h"

namespace ergon::fleet {

// Name and level of an event; the level is "" if unknown.
using EventKey = std::pair<std::string, std::string>;

struct GpuTally {
  std::string uuid, serial;  // without a UUID, the serial number, index or host in its place
  bool has_uuid = false;
  GpuSums sums;
  ActivityProfile activity;
  GpuHistory history;

  friend bool operator==(const GpuTally&, const GpuTally&) = default;
};

// An unpaired checkpoint with the name of its event.
struct UnpairedRecord {
  std::string event;
  UnpairedCheckpoint row;

  friend bool operator==(const UnpairedRecord&, const UnpairedRecord&) = default;
};

struct HostTally {
  std::map<EventKey, EventTotals> event_totals;
  std::vector<GpuTally> gpus;
  std::map<std::string, ChangePoint> changes;  // by event
  std::vector<UnpairedRecord> unpaired_checkpoints;
  std::uint64_t duplicates = 0;  // checkpoints that are identical to another

  friend bool operator==(const HostTally&, const HostTally&) = default;
};

// One of the longest events, with names instead of codes.
struct LongEventRecord {
  std::string event, level, host, task;
  std::uint64_t task_hash = 0;
  Timestamp start;
  std::int64_t duration_ns = 0;
  std::optional<Joules> energy;  // absent without samples, or if it is indivisible

  friend bool operator==(const LongEventRecord&, const LongEventRecord&) = default;
};

// Totals of some hosts. Tallies of disjoint sets of hosts merge into that of the whole fleet; summarize()
// computes the report.
struct Tally {
  AnalysisRules rules;
  RowCounts checkpoints, samples;
  std::map<std::string, HostTally> hosts;
  std::map<EventKey, EventDistribution> distributions;
  std::vector<LongEventRecord> longest;  // kMaxLongEvents of each event name, the longest first
  std::set<std::string> jobs;
  std::vector<std::uint64_t> tasks;  // hashes, ascending
  bool simulated = false;            // a row is marked as simulated, or a job is_simulated_job()

  friend bool operator==(const Tally&, const Tally&) = default;
};

// Whether the name of a job marks it as written by `ergon fleet generate`.
bool is_simulated_job(std::string_view name);

// Adds the hosts of `part`. Errors: different rules; a host that is in both.
Result<> merge(Tally& whole, const Tally& part);

// Sorts by event name and descending duration; keeps at most kMaxLongEvents of each event name.
void keep_longest(std::vector<LongEventRecord>& events);

}  // namespace ergon::fleet
