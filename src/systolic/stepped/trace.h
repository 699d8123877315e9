#pragma once

#include <cstdint>
#include <vector>

#include "systolic/array/geometry.h"
#include "systolic/array/mapping.h"

namespace ergon::systolic::stepped {

// A slot outside of the operand, and one whose tap hangs over the edge of the input: neither asks for a word,
// but the second belongs to the operand and is counted as an access by SCALE-Sim.
inline constexpr std::int64_t kNothing = -1;
inline constexpr std::int64_t kHole = -2;
inline bool asks(std::int64_t address) { return address >= 0; }

// The words a layer touches, address by address and line by line, built as plainly as possible.
class Trace {
 public:
  Trace(const Geometry& geometry, const Mapping& mapping) : g_(geometry), m_(mapping) {}

  struct Line {
    std::vector<std::int64_t> ifmap, filter, ofmap;  // one slot per lane
  };
  Line line(std::int64_t fold, std::int64_t t) const;  // line t of the fold

  // The order in which an operand is prefetched, with empty slots.
  std::vector<std::int64_t> ifmap_stream() const;
  std::vector<std::int64_t> filter_stream() const;

 private:
  // Addresses; kNothing outside of the operand.
  std::int64_t input(std::int64_t position, std::int64_t tap) const;
  std::int64_t weight(std::int64_t tap, std::int64_t filter) const;
  std::int64_t output(std::int64_t position, std::int64_t filter) const;

  Geometry g_;
  Mapping m_;
};

}  // namespace ergon::systolic::stepped
