#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/account/activity.h"
#include "fleet/account/cell.h"
#include "fleet/account/gathered.h"
#include "fleet/account/host_account.h"
#include "fleet/account/series.h"
#include "fleet/reading/row_counts.h"

namespace ergon::fleet {

// An event's name and level; "" where nobody said a level.
using EventKey = std::pair<std::string, std::string>;

struct GpuTally {
  std::string uuid, serial;
  GpuSums sums;
  ActivityProfile activity;
  History history;

  friend bool operator==(const GpuTally&, const GpuTally&) = default;
};

// A row without a partner on its host.
struct LeftoverRow {
  std::string event;
  Leftover row;

  friend bool operator==(const LeftoverRow&, const LeftoverRow&) = default;
};

struct HostTally {
  std::map<EventKey, Cell> cells;
  std::vector<GpuTally> gpus;
  std::map<std::string, ChangePoint> changes;  // by event
  std::vector<LeftoverRow> leftovers;
  std::uint64_t duplicates = 0;  // rows that equal another in everything

  friend bool operator==(const HostTally&, const HostTally&) = default;
};

struct LongTally {
  std::string event, level, host, task;
  std::uint64_t task_hash = 0;
  Timestamp start;
  std::int64_t duration_ns = 0;
  Joules energy;

  friend bool operator==(const LongTally&, const LongTally&) = default;
};

// All that has to be known of some hosts to answer for them, and, together with others, for the whole fleet.
struct Tally {
  Rules rules;
  RowCounts checkpoints, samples;
  std::map<std::string, HostTally> hosts;
  std::map<EventKey, Spread> spreads;
  std::vector<LongTally> longest;  // kLongestKept of each event, the longest first
  std::set<std::string> jobs;
  std::vector<std::uint64_t> tasks;  // hashes, ascending
  bool simulated = false;            // what it tells of never happened

  friend bool operator==(const Tally&, const Tally&) = default;
};

// Adds what is known of other hosts. Errors: rules that differ, a host that is in both.
Result<> merge(Tally& whole, const Tally& part);

// Longest first, at most kLongestKept of each event.
void keep_longest(std::vector<LongTally>& events);

}  // namespace ergon::fleet
