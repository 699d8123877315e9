#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ergon {

// FNV-1a hash of a text: platform-independent, sufficient for some thousand names.
inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211ULL;
  return hash;
}

// The hash as 16 hexadecimal digits.
inline std::string digest(std::string_view text) { return fmt::format("{:016x}", hash_of(text)); }

}  // namespace ergon
