#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::calibrate {

// A network measured from Python at the default clock. Repeated rows, also from different tables, are reduced
// to their median.
struct PythonNetwork {
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::string network;
  std::int64_t batch = 1, size = 0;  // image side length, or sequence length
  Seconds time;
  Watts power;
};

struct PythonTables {
  std::vector<PythonNetwork> networks;
  std::vector<std::string> skipped;  // "table, row: reason"
};

// Reads networks_*.csv in the format of data/reference/h200, measured on `device`. Errors: no such files; a
// file that cannot be read; a power that the device cannot draw.
Result<PythonTables> read_python_tables(const std::filesystem::path& folder, const std::string& device);
bool holds_python_tables(const std::filesystem::path& folder);

}  // namespace ergon::calibrate
