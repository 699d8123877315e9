#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace ergon::table {

using Code = std::uint32_t;

// The distinct strings of a column, each known by its code: 0, 1, 2, ... in the order they were added.
class Dictionary {
 public:
  // The code of `text`, which is added if it is new. At most 2^32 - 2 distinct strings.
  Code code_of(std::string_view text);

  std::string_view at(Code code) const {
    return {letters_.data() + begins_[code], begins_[code + 1] - begins_[code]};
  }
  std::size_t size() const { return begins_.size() - 1; }

  Bytes memory() const;
  // Drops the search index and spare room; a later code_of() builds it again.
  void compact();

 private:
  static constexpr Code kNoCode = UINT32_MAX;
  struct Slot {
    std::uint32_t hash = 0;
    Code code = kNoCode;
  };

  const Slot* slot_of(std::string_view text, std::uint64_t hash) const;
  void index(std::size_t slots);

  std::string letters_;                    // all strings, one after the other
  std::vector<std::size_t> begins_ = {0};  // where each begins; one past the last at the end
  std::vector<Slot> slots_;                // open addressing, a power of two, at most half full
};

}  // namespace ergon::table
