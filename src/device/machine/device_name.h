#pragma once

#include <cstdint>
#include <string_view>

namespace ergon::device {

// What a device name given by a user means.
enum class NameKind : std::uint8_t {
  processor,  // "cpu"
  gpu,        // "gpu0", "0" or a UUID ("GPU-..."): a GPU of this machine
  twin,       // any other name, or a .json file
};

// Ignores case.
NameKind kind_of_name(std::string_view name);

// Whether the name of a twin is a device file.
bool is_device_file(std::string_view name);

}  // namespace ergon::device
