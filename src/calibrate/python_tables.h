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

// A whole network as Python ran it, at the GPU's own clock. Repeats, in whichever table, are their median.
struct PythonNetwork {
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  std::string network;
  std::int64_t batch = 1, size = 0;  // the side of an image, or the length of a text
  Seconds time;
  Watts power;
};

struct PythonTables {
  std::vector<PythonNetwork> networks;
  std::vector<std::string> skipped;  // "table, row: why"
};

// Reads networks_*.csv as data/reference/h200 has them. Errors: there are none; one that cannot be read.
Result<PythonTables> read_python_tables(const std::filesystem::path& folder);
bool holds_python_tables(const std::filesystem::path& folder);

}  // namespace ergon::calibrate
