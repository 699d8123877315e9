#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ergon::systolic {

// What stays in the array while the rest flows through it.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };

// "os", "ws", "is".
std::string_view name_of(Dataflow dataflow);
Result<Dataflow> dataflow_of(std::string_view name);

// Multiply-accumulate units in a rectangle.
struct Array {
  std::int64_t rows = 0, columns = 0;

  std::int64_t units() const { return rows * columns; }
  friend auto operator<=>(const Array&, const Array&) = default;
};

// Capacities in words, each scratchpad split into a half that serves the array and a half that exchanges with
// the memory outside.
struct Scratchpads {
  std::int64_t ifmap = 0, filter = 0, ofmap = 0;

  friend auto operator<=>(const Scratchpads&, const Scratchpads&) = default;
};

// The part of an accelerator that decides which words are missed when.
struct Machine {
  Array array;
  Dataflow dataflow = Dataflow::output_stationary;
  Scratchpads scratchpads;

  // Sizes that can work: at least one unit, scratchpads that hold at least a hundred words (SCALE-Sim divides
  // them into hundredths) and one line of the array.
  Result<> check() const;

  friend auto operator<=>(const Machine&, const Machine&) = default;
};

}  // namespace ergon::systolic
