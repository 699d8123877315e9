#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "fleet/fleet_files.h"

namespace ergon::fleet::test {

inline constexpr int kHosts = 5;

inline std::string host_name(int host) { return fmt::format("host-{}", host); }

// Rows, each with its host: several tasks and two GPUs on a host.
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

inline RandomRows random_rows() {
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

}  // namespace ergon::fleet::test
