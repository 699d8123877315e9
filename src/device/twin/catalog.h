#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/builtin_files.h"
#include "base/result.h"
#include "device/twin/specification.h"

namespace ergon::device {

// The device files of data/devices, embedded by CMake.
BuiltinFiles device_files();

// A built-in device by name (case-insensitive), or a device file if the name ends in ".json". Errors:
// unknown_name, with the nearest name; not_found; those of parse_specification().
Result<Specification> find_device(const std::string& name_or_file);
std::vector<std::string> device_names();

// Errors name `source` and the field: missing or unphysical values, numbers without a source, unknown fields.
Result<Specification> parse_specification(std::string_view json, std::string_view source);

}  // namespace ergon::device
