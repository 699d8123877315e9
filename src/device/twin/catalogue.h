#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/builtin_files.h"
#include "base/result.h"
#include "device/twin/specification.h"

namespace ergon::device {

// What CMake put into the program from data/devices.
BuiltinFiles device_files();

// By name from what is built in, or from a file when the name ends in ".json".
Result<Specification> find_device(const std::string& name_or_file);
std::vector<std::string> device_names();

// Errors name the source and the field: missing, negative and unphysical values, numbers without a source.
Result<Specification> parse_specification(std::string_view json, std::string_view source);

}  // namespace ergon::device
