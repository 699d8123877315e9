#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "fleet/summary/fleet_summary.h"
#include "report/fleet_json.h"

namespace ergon::app {

// Output options that analyze and merge have in common.
struct FleetOutput {
  report::FleetPrices prices;
  std::vector<std::string> by;  // event, level, host, gpu, task, time
  std::optional<std::string> out, part, means;

  void declare(Options& options);
  // Reads --gpu-means, writes the requested files and prints the summary.
  Result<int> deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                      const std::vector<std::string>& warnings, Shell& shell) const;

  // Whether a table of --by is shown.
  bool shows(std::string_view table) const;

 private:
  Result<> write_part(const fleet::Tally& tally, const std::string& file,
                      const std::vector<std::string>& inputs, Shell& shell) const;
};

// Reads means of GPUs: per-gpu-truth.csv of the TeraScope study, or gpus.csv of `ergon fleet analyze --out`.
Result<std::vector<fleet::GpuMeans>> read_gpu_means(const std::string& file);

}  // namespace ergon::app
