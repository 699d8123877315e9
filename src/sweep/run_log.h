#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "profile/append_file.h"
#include "sweep/run.h"

namespace ergon::sweep {

// The folder of one sweep:
//
//   sweep.json   the experiment: device, networks, clocks, method; written once, before the first run
//   runs.csv     one line per finished run, on disk when append() returns
//
// If the process is killed, an incomplete last line is removed when the folder is opened again: at most the
// current run is lost. One process may write at a time. Not thread-safe.
class RunLog {
 public:
  // `experiment` is an object; its member "experiment" identifies the sweep. Errors: the folder has runs and
  // `resume` is false; it has another experiment (the message names the difference); another process is
  // writing; an invalid line.
  static Result<RunLog> open(const std::filesystem::path& folder, const nlohmann::ordered_json& experiment,
                             bool resume);

  // Whether the run is finished, valid or not.
  bool holds(const Run& run) const;
  const std::vector<RunRow>& rows() const { return rows_; }
  Result<> append(const RunRow& row);

 private:
  explicit RunLog(profile::AppendFile file) : file_(std::move(file)) {}

  profile::AppendFile file_;
  std::set<Run> done_;
  std::vector<RunRow> rows_;
};

// Reads the runs of a folder, also while it is being written; an incomplete last line is ignored.
Result<std::vector<RunRow>> read_runs(const std::filesystem::path& folder);

inline constexpr const char* kRunsFile = "runs.csv";
inline constexpr const char* kSweepFile = "sweep.json";

}  // namespace ergon::sweep
