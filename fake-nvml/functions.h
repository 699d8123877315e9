#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace ergon::fake_nvml {

// Names of all functions of the interface (functions.txt), modeled or not.
const std::vector<std::string>& function_names();

inline bool is_function(const std::string& name) {
  const auto& names = function_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace ergon::fake_nvml
