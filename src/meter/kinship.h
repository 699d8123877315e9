#pragma once

#include <cstdint>
#include <filesystem>

namespace ergon::meter {

// How a process is related to another.
enum class Kinship : std::uint8_t {
  own,       // it is the same, or was started by it, directly or not
  stranger,  // it was not
  gone,      // there is no such process, or none that this one can see
};

Kinship kinship(std::int64_t pid, std::int64_t ancestor, const std::filesystem::path& proc = "/proc");

}  // namespace ergon::meter
