#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device/twin/specification.h"

namespace ergon::device {

// A number of a specification: where it stands in the file (the unit is part of the name), between which
// values it is physical, and how to read and set it.
struct Parameter {
  std::string path;  // "power.busy_w"
  double least = 0, most = 0;
  bool optional = false;
  bool whole = false;
  std::function<double(const Specification&)> read;
  std::function<void(Specification&, double)> set;
};

const std::vector<Parameter>& parameters();
// Contract: there is one of that path.
const Parameter& parameter(std::string_view path);

}  // namespace ergon::device
