#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace ergon::control {

// Batches and clocks that a plant offers if none are given: batches 1 to kMaxDefaultBatch, as far as they fit
// the memory, and kDefaultClocks clocks.
inline constexpr std::int64_t kMaxDefaultBatch = 256;
inline constexpr std::size_t kDefaultClocks = 24;

// 1, 2, ..., max.
std::vector<std::int64_t> batches_up_to(std::int64_t max);

// `count` of the clocks, evenly spaced, including the first and the last; all of them if there are fewer.
// Contract: count is 2 or more.
std::vector<Hertz> evenly_spaced(const std::vector<Hertz>& clocks, std::size_t count);

}  // namespace ergon::control
