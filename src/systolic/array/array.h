#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::systolic {

// The operand that stays in the array while the others stream through it.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };
inline constexpr Dataflow kDataflows[] = {Dataflow::output_stationary, Dataflow::weight_stationary,
                                          Dataflow::input_stationary};

// "os", "ws", "is".
std::string_view name_of(Dataflow dataflow);
Result<Dataflow> dataflow_of(std::string_view name);

// Most processing elements per side of an array. The product of two larger sizes would exceed the range of
// exact counts.
inline constexpr std::int64_t kMaxArraySide = std::int64_t{1} << 20;

// Rows x columns of processing elements.
struct Array {
  std::int64_t rows = 0, columns = 0;

  std::int64_t units() const { return rows * columns; }
  friend auto operator<=>(const Array&, const Array&) = default;
};

// Capacities in words. Each scratchpad is double-buffered: one half serves the array, the other exchanges
// data with external memory.
struct Scratchpads {
  std::int64_t ifmap = 0, filter = 0, ofmap = 0;

  friend auto operator<=>(const Scratchpads&, const Scratchpads&) = default;
};

// The part of an accelerator that determines the misses.
struct Machine {
  Array array;
  Dataflow dataflow = Dataflow::output_stationary;
  Scratchpads scratchpads;

  // Valid sizes: at least one processing element, and scratchpads that hold at least 100 words (SCALE-Sim
  // divides them into 100 sets) and one line of the array.
  Result<> check() const;

  friend auto operator<=>(const Machine&, const Machine&) = default;
};

// "64x64".
Result<Array> parse_array(std::string_view text);
std::string to_text(const Array& array);
// "1024/2048/1024": ifmap, filter and ofmap in KiB of SCALE-Sim's one-byte words.
Result<Scratchpads> parse_scratchpads(std::string_view text);
std::string to_text(const Scratchpads& scratchpads);

}  // namespace ergon::systolic
