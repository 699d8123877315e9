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

// Measurements of C. Nicolai's thesis on an A30, with and without TF32, and an RTX 2080 Ti, at default
// clocks. Repeated rows are reduced to their median.
struct ThesisOperation {
  std::string device;  // name of the twin
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::string text;  // module and input shape
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
  std::vector<std::string> skipped;  // "row: reason"
};

// Reads a30_2080ti_operations.csv and a30_2080ti_networks.csv; one of them may be missing. Errors: both
// missing; a table that cannot be read.
Result<ThesisTables> read_thesis_tables(const std::filesystem::path& folder);
bool holds_thesis_tables(const std::filesystem::path& folder);

}  // namespace ergon::calibrate
