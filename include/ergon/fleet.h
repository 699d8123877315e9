#pragma once

// Fleets: joins application events (START and STOP of tasks) with GPU telemetry of many hosts, and says where
// time and energy went.
//
//   auto report = ergon::analyze_fleet({.events = {"events.csv"}, .samples = {"gpu.csv"}});
//   for (const ergon::Finding& finding : report->findings) use(finding.title);

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ergon/estimate.h"
#include "ergon/export.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// CSV files, plain or compressed (.gz, .xz, .zst). Columns are found by name: those of nvidia-smi,
// dcgm-exporter, the TeraScope study and Ergon. docs/fleet.md lists them.
struct FleetFiles {
  std::vector<std::string> events = {};   // START and STOP of application events
  std::vector<std::string> samples = {};  // GPU telemetry; without a host column the file name is the host
  std::optional<std::string> tasks = {};  // level of each task
  // Other column names, by role: {"host", "node"}.
  std::map<std::string, std::string> event_columns = {}, sample_columns = {}, task_columns = {};
};

struct FleetOptions {
  std::string time_zone = "Z";            // of timestamps without one: "Z" or "+hh:mm"
  bool keep_duplicates = false;           // count identical event rows each time
  std::optional<Seconds> max_gap = {};    // no interpolation between samples further apart; default: 60 s
  std::optional<Seconds> max_event = {};  // a START and a STOP further apart are not paired; default: 24 h
  unsigned threads = 0;                   // 0: one per core
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress = {};  // bytes read
  std::stop_token stop = {};
};

// All events of one name.
struct FleetEvent {
  std::string name;
  std::uint64_t count = 0;
  Estimate<Seconds> duration;  // mean, 95 % interval
  Seconds median_duration, p95_duration, p99_duration, max_duration;
  // Means over the time from START to STOP; absent if no samples cover it.
  std::optional<Watts> power;
  std::optional<double> utilization_percent, memory_percent;
  std::optional<Celsius> temperature;
  Joules energy;            // sum; energy of nested events counts in both
  Joules exclusive_energy;  // without nested events; over all names, the attributed energy
  Seconds exclusive_time;
};

struct FleetHost {
  std::string name;
  std::uint64_t tasks = 0, events = 0, gpus = 0;
  Estimate<Seconds> task_duration;                                     // mean, 95 % interval
  Joules energy, attributed_energy, idle_energy, unattributed_energy;  // as in FleetReport
  Seconds gpu_time, idle_time;
  std::optional<double> z_score;      // robust, of its mean task duration; above 3.5: an outlier
  std::optional<Seconds> clock_skew;  // of its GPU samples relative to its events
};

// A recommendation, or a data quality problem.
struct Finding {
  std::string id, title, detail;
  bool about_data = false;              // data quality; otherwise a recommendation
  std::optional<Joules> saving_energy;  // upper bound
  std::optional<Seconds> saving_time;
};

struct FleetReport {
  std::uint64_t hosts = 0, gpus = 0, jobs = 0, tasks = 0;
  std::uint64_t event_rows = 0, sample_rows = 0;  // rows that were read
  std::uint64_t paired_events = 0, unpaired_rows = 0, duplicate_rows = 0;
  // energy is the sum of the others. Outside all events, energy is idle while a GPU is measured idle, and
  // otherwise unattributed.
  Joules energy, attributed_energy, idle_energy, unattributed_energy;
  Seconds gpu_time, idle_time, sample_period;
  std::string outermost_event;        // the event name with the largest total duration
  std::vector<FleetEvent> events;     // by ascending mean duration
  std::vector<FleetHost> host_list;   // by name
  std::vector<Finding> findings;      // recommendations by descending saving, then data quality
  std::vector<std::string> warnings;  // about the files
  bool simulated = false;             // data of `ergon fleet generate`
};

// Errors: no files; files that cannot be read; missing columns; an invalid time zone; cancelled.
ERGON_API Result<FleetReport> analyze_fleet(const FleetFiles& files, const FleetOptions& options = {});

}  // namespace ergon
