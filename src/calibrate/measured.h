#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/twin/kernel.h"

namespace ergon::calibrate {

// A whole network measured on a device.
struct NetworkRow {
  std::string device;   // the twin it is compared with
  std::string table;    // "networks_infer"
  std::string network;  // as the table calls it; networks are fitted or held back by this name
  std::shared_ptr<const device::Workload> workload;
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  std::optional<Hertz> observed;         // the mean clock that was read
  std::optional<Seconds> time;           // of one iteration
  std::optional<Seconds> gpu;            // of that, with kernels running
  std::map<std::string, Seconds> parts;  // of `gpu`, by class_of() the operation; empty where nobody looked
  std::optional<Watts> power;
  bool maximum = false;  // `power` is the highest reading, not the mean
};

// "convolution", "product", "norm", "pool", "rows" or "elementwise", from what `ergon inspect` calls an
// operation.
std::string_view class_of(std::string_view kind);

// One program at many clocks.
struct ApplicationPoint {
  Hertz clock;
  std::optional<Seconds> time;
  Watts power;
  double busy = 1;    // share of the time in which multiprocessors have work
  double memory = 0;  // share of the time in which the memory transfers
};
struct Application {
  std::string device, table, name;
  std::vector<ApplicationPoint> points;  // by rising clock
};

struct Measured {
  std::vector<NetworkRow> networks;
  std::vector<Application> applications;
  std::vector<std::string> tables;   // that were found
  std::vector<std::string> skipped;  // "network: why", for rows that no twin can be asked about
};

// Reads what is there of the known tables in `folders` (each may hold h200/ and gpu/, or the files
// themselves). Errors: a table that is there and cannot be read.
Result<Measured> read_measured(const std::vector<std::filesystem::path>& folders);

}  // namespace ergon::calibrate
