#include "systolic/array/array.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/text.h"

namespace ergon::systolic {
namespace {

constexpr std::array<std::pair<Dataflow, std::string_view>, 3> kDataflowNames = {
    {{Dataflow::output_stationary, "os"},
     {Dataflow::weight_stationary, "ws"},
     {Dataflow::input_stationary, "is"}}};

// The product of two larger sizes would exceed the range of exact counts.
constexpr std::int64_t kLargestSide = std::int64_t{1} << 20;
constexpr std::int64_t kLargestScratchpad = std::int64_t{1} << 40;
constexpr std::int64_t kSmallestScratchpad = 100;

}  // namespace

std::string_view name_of(Dataflow dataflow) {
  return kDataflowNames[static_cast<std::size_t>(dataflow)].second;
}

Result<Dataflow> dataflow_of(std::string_view name) {
  for (const auto& [dataflow, known] : kDataflowNames) {
    if (lower(name) == known) return dataflow;
  }
  return fail(Errc::invalid_input, "\"{}\" is no dataflow; there are os, ws and is", printable(name));
}

Result<> Machine::check() const {
  if (array.rows < 1 || array.columns < 1) {
    return fail(Errc::invalid_input, "an array of {} x {} units has none", array.rows, array.columns);
  }
  if (array.rows > kLargestSide || array.columns > kLargestSide) {
    return fail(Errc::invalid_input, "an array of {} x {}: at most {} units a side", array.rows,
                array.columns, kLargestSide);
  }
  const bool inputs_stay = dataflow == Dataflow::input_stationary;
  const std::int64_t ifmap_line = inputs_stay ? array.columns : array.rows;
  const std::int64_t filter_line = inputs_stay ? array.rows : array.columns;
  struct Row {
    std::string_view name;
    std::int64_t words, line;
  };
  for (const Row& row :
       {Row{"ifmap", scratchpads.ifmap, ifmap_line}, Row{"filter", scratchpads.filter, filter_line},
        Row{"ofmap", scratchpads.ofmap, array.columns}}) {
    const std::int64_t least = std::max(row.line, kSmallestScratchpad);
    if (row.words < least) {
      return fail(Errc::invalid_input,
                  "the {} scratchpad holds {} words; it needs {} at least (one line of the array is {})",
                  row.name, row.words, least, row.line);
    }
    if (row.words > kLargestScratchpad) {
      return fail(Errc::invalid_input, "the {} scratchpad: {} words are beyond any", row.name, row.words);
    }
  }
  return {};
}

}  // namespace ergon::systolic
