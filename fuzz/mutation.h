#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

// libFuzzer's own mutation of bytes. replay.cc has another one.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace ergon::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The argument of LLVMFuzzerCustomMutator: an input, to be replaced by a similar one.
struct Input {
  std::uint8_t* data;
  std::size_t size, max_size;

  std::string_view text() const { return text_of(data, size); }
  // Returns the new size. A longer text is cut.
  std::size_t replace(std::string_view text) const {
    const std::size_t length = std::min(text.size(), max_size);
    std::copy_n(text.begin(), length, data);
    return length;
  }
  std::size_t mutate_bytes() const { return LLVMFuzzerMutate(data, size, max_size); }
};

inline bool one_in(Random& random, std::uint64_t count) { return random.below(count) == 0; }

template <typename List>
auto& pick(List& list, Random& random) {
  return list[random.below(std::size(list))];
}

inline std::string with_mutated_bytes(std::string text) {
  constexpr std::size_t kGrowth = 16;
  const std::size_t size = text.size();
  text.resize(size + kGrowth);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  return text;
}

// 1, 2, 3, ... with halving probability: how many changes to make at once.
inline int number_of_changes(Random& random) {
  int count = 1;
  while (count < 8 && one_in(random, 2)) ++count;
  return count;
}

}  // namespace ergon::fuzz
