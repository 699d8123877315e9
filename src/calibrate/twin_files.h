#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "calibrate/compare.h"

namespace ergon::calibrate {

// Device files of calibrated twins.
struct CalibratedTwins {
  struct File {
    std::string device, text;
  };
  std::vector<File> files;               // of the twins that have tables or inherit parameters
  std::vector<TwinAccuracy> accuracies;  // of all built-in twins, with the rounded values of the files
};

// Fits the built-in twins to measured tables. `progress` is called with the name of each twin. Errors: those
// of fit_all().
Result<CalibratedTwins> calibrate_twins(const MeasuredTables& measured,
                                        const std::function<void(const std::string&)>& progress,
                                        const std::stop_token& stop = {});

}  // namespace ergon::calibrate
