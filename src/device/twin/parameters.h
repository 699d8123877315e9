#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device/twin/specification.h"

namespace ergon::device {

// A parameter of a specification: its path in the device file (which includes the unit), its physical range
// in that unit, and accessors.
struct Parameter {
  std::string path;  // "power.busy_w"
  double min = 0, max = 0;
  bool optional = false;
  bool whole = false;  // an integer
  std::function<double(const Specification&)> read;
  std::function<void(Specification&, double)> set;
};

const std::vector<Parameter>& parameters();
// Contract: `path` exists.
const Parameter& parameter(std::string_view path);

}  // namespace ergon::device
