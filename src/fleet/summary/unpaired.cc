#include "fleet/summary/unpaired.h"

#include <algorithm>
#include <map>

namespace ergon::fleet {

UnpairedCounts unpaired_of(const Tally& tally) {
  struct Edges {
    std::vector<std::pair<Timestamp, bool>> starts;  // time, and whether it may still be running
    std::vector<Timestamp> stops;
  };
  std::map<std::pair<std::uint64_t, std::string>, Edges> by_event;
  for (const auto& [name, host] : tally.hosts) {
    for (const UnpairedRecord& each : host.unpaired_checkpoints) {
      Edges& edges = by_event[{each.row.task, each.event}];
      if (each.row.start) {
        edges.starts.emplace_back(each.row.at, each.row.running);
      } else {
        edges.stops.push_back(each.row.at);
      }
    }
  }
  UnpairedCounts unpaired;
  for (auto& [key, edges] : by_event) {
    std::sort(edges.starts.begin(), edges.starts.end());
    std::sort(edges.stops.begin(), edges.stops.end());
    // A START and a STOP on the same host that match were paired by Pairing already.
    auto stop = edges.stops.begin();
    for (const auto& [at, running] : edges.starts) {
      while (stop != edges.stops.end() && *stop < at) ++stop, ++unpaired.start_missing;
      if (stop != edges.stops.end() && *stop - at <= tally.rules.max_event) {
        ++unpaired.cross_hosts;
        ++stop;
      } else {
        ++(running ? unpaired.still_running : unpaired.stop_missing);
      }
    }
    unpaired.start_missing += static_cast<std::uint64_t>(edges.stops.end() - stop);
  }
  return unpaired;
}

}  // namespace ergon::fleet
