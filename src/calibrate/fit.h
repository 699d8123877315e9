#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "calibrate/compare.h"

namespace ergon::calibrate {

// A twin after its calibration, and which of its numbers came from it.
struct Fit {
  device::Specification gpu;
  std::vector<std::string> fitted_paths;
  std::map<std::string, std::string> lenders;  // by path: the twin that it was taken over from
  bool changed = true;
};

// Fits every twin that there are tables for, and hands what was learned to its relatives; a twin whose tables
// are not there stays as it is and is not returned. Every other network and application, in the order of
// their names, takes part. `told` hears what is being done.
Result<std::vector<Fit>> fit_all(const Measured& measured, const Twins& start,
                                 const std::function<void(const std::string&)>& told,
                                 const std::stop_token& stop = {});

// The device file with the fit's numbers, their source, and how well they hold.
std::string updated_file(std::string_view file, const Fit& fit, const std::vector<Agreement>& agreements);

}  // namespace ergon::calibrate
