#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "calibrate/torch_operation.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::calibrate {

// What C. Nicolai's thesis measured on an A30, with and without matrix units, and an RTX 2080 Ti, at their
// own clocks. Repeats of one row are its median.
struct ThesisOperation {
  std::string device;  // its twin
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::string text;  // the module and its input's extents
  TorchOperation operation;
  Seconds time;
  Watts power;
};

struct ThesisNetwork {
  std::string device;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::string network;
  std::int64_t batch = 1, size = 0;
  Seconds time;
  Watts power;
};

struct ThesisTables {
  std::vector<ThesisOperation> operations;
  std::vector<ThesisNetwork> networks;
  std::vector<std::string> skipped;  // "row: why"
};

// Reads a30_2080ti_operations.csv and a30_2080ti_networks.csv, whichever is there. Errors: neither is; a
// table that cannot be read.
Result<ThesisTables> read_thesis_tables(const std::filesystem::path& folder);
bool holds_thesis_tables(const std::filesystem::path& folder);

}  // namespace ergon::calibrate
