#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "calibrate/compare.h"

namespace ergon::calibrate {

// A calibrated twin, and the origin of its parameters.
struct Fit {
  device::Specification gpu;
  std::vector<std::string> fitted_paths;
  std::map<std::string, std::string> inherited_from;  // by path: the twin that the value comes from
  bool changed = true;
};

// Fits every twin that has tables, and copies parameters to related twins without tables. A twin whose tables
// are missing is unchanged and not returned. Every other network and application, sorted by name, is fitted;
// the rest is held out. `progress` is called with the name of each twin.
Result<std::vector<Fit>> fit_all(const MeasuredTables& measured, const Twins& start,
                                 const std::function<void(const std::string&)>& progress,
                                 const std::stop_token& stop = {});

// The device file with the calibrated parameters, their sources and accuracy.
std::string updated_file(std::string_view file, const Fit& fit, const std::vector<TwinAccuracy>& accuracies);

}  // namespace ergon::calibrate
