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
//   sweep.json   which experiment this is: device, networks, clocks, method; written first, and once
//   runs.csv     a line per finished run, on the disk when append() returns
//
// A kill may leave half a line at the end, which is cut off when the folder is opened again: at most the run
// in flight is lost. One process writes at a time. Not for several threads at once.
class RunLog {
 public:
  // `experiment` is an object; its member "experiment" decides whether two sweeps are the same. Errors: the
  // folder holds runs and `resume` was not asked for; it holds another experiment, naming what differs;
  // another process writes; a damaged line.
  static Result<RunLog> open(const std::filesystem::path& folder, const nlohmann::ordered_json& experiment,
                             bool resume);

  // Whether it is finished, whatever came of it.
  bool holds(const Run& run) const;
  const std::vector<RunRow>& rows() const { return rows_; }
  Result<> append(const RunRow& row);

 private:
  explicit RunLog(profile::AppendFile file) : file_(std::move(file)) {}

  profile::AppendFile file_;
  std::set<Run> done_;
  std::vector<RunRow> rows_;
};

// Of a folder, while or after it is written; half a line at the end does not count.
Result<std::vector<RunRow>> read_runs(const std::filesystem::path& folder);

inline constexpr const char* kRunsFile = "runs.csv";
inline constexpr const char* kSweepFile = "sweep.json";

}  // namespace ergon::sweep
