#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "fleet/answers/answers.h"
#include "report/fleet_json.h"

namespace ergon::app {

// Where the answers for a fleet go: what analyze and merge have in common.
struct FleetOutput {
  report::FleetPrices prices;
  std::vector<std::string> by;  // event, level, host, gpu, task
  std::optional<std::string> out, part, means;

  void declare(Options& options);
  // Reads means, makes the answers, writes what was asked for and prints the rest.
  Result<int> deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                      const std::vector<std::string>& remarks, Shell& shell) const;

  bool wants(std::string_view what) const;

 private:
  Result<> write_part(const fleet::Tally& tally, const std::string& file,
                      const std::vector<std::string>& inputs, Shell& shell) const;
};

// Means of GPUs from a file: per-gpu-truth.csv of the study, or a table of `ergon fleet analyze --out`.
Result<std::vector<fleet::GpuMeans>> read_gpu_means(const std::string& file);

}  // namespace ergon::app
