#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ergon::fleet {

// Hash of a name that is the same on every machine, so that parts from several machines can be merged. The
// probability that any two of a million names collide is 3e-8.
inline std::uint64_t name_hash(std::string_view name, std::uint64_t seed = 0) {
  static_assert(std::endian::native == std::endian::little);
  const auto mixed = [](std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15, kOther = 0xd1b54a32d192ed03;
  std::uint64_t state = mixed(seed ^ kOther, name.size() ^ kOdd);
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left >= 16; left -= 16, at += 16) {
    std::uint64_t low = 0, high = 0;
    std::memcpy(&low, at, 8);
    std::memcpy(&high, at + 8, 8);
    state = mixed(state ^ low ^ kOdd, high ^ kOther);
  }
  std::uint64_t low = 0, high = 0;
  std::memcpy(&low, at, left < 8 ? left : 8);
  if (left > 8) std::memcpy(&high, at + 8, left - 8);
  return mixed(state ^ low ^ kOdd, high ^ kOther ^ left);
}

}  // namespace ergon::fleet
