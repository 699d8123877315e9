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

// One measurement of a whole network on a device.
struct NetworkRow {
  std::string device;   // the twin it is compared with
  std::string table;    // "networks_infer"
  std::string network;  // name in the table; decides whether the row is fitted or held out
  std::shared_ptr<const device::Workload> workload;
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
  std::optional<Hertz> observed;         // mean measured clock
  std::optional<Seconds> time;           // per iteration
  std::optional<Seconds> gpu;            // kernel time per iteration
  std::map<std::string, Seconds> parts;  // `gpu` by class_of() the operation; empty if not measured
  std::optional<Watts> power;
  bool maximum = false;  // `power` is the maximum, not the mean
};

// The class of an operation type: "convolution", "product", "norm", "pool", "rows" or "elementwise".
std::string_view class_of(std::string_view kind);

// An application at many clocks.
struct ApplicationPoint {
  Hertz clock;
  std::optional<Seconds> time;
  Watts power;
  double busy = 1;    // multiprocessor activity: share of time with work
  double memory = 0;  // memory activity: share of time with transfers
};
struct Application {
  std::string device, table, name;
  std::vector<ApplicationPoint> points;  // by ascending clock
};

struct MeasuredTables {
  std::vector<NetworkRow> networks;
  std::vector<Application> applications;
  std::vector<std::string> tables;   // names of the tables that were found
  std::vector<std::string> skipped;  // "table: network: reason", for rows that cannot be compared
};

// Reads the known tables that exist in `folders`; each may contain h200/ and gpu/, or the files themselves.
// Errors: a table that cannot be read.
Result<MeasuredTables> read_measured(const std::vector<std::filesystem::path>& folders);

}  // namespace ergon::calibrate
