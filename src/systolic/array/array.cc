#include "systolic/array/array.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::systolic {
namespace {

constexpr std::array<std::pair<Dataflow, std::string_view>, 3> kDataflowNames = {
    {{Dataflow::output_stationary, "os"},
     {Dataflow::weight_stationary, "ws"},
     {Dataflow::input_stationary, "is"}}};

constexpr std::int64_t kKibi = 1024;
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
  return fail(Errc::invalid_input, "\"{}\" is not a dataflow; expected os, ws or is", printable(name));
}

Result<> Machine::check() const {
  if (array.rows < 1 || array.columns < 1) {
    return fail(Errc::invalid_input, "an array of {} x {} units has none", array.rows, array.columns);
  }
  if (array.rows > kMaxArraySide || array.columns > kMaxArraySide) {
    return fail(Errc::invalid_input, "an array of {} x {}: at most {} units a side", array.rows,
                array.columns, kMaxArraySide);
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

Result<Array> parse_array(std::string_view text) {
  const auto parts = split(text, 'x');
  const auto rows = parts.size() == 2 ? parse_int64(parts[0]) : std::nullopt;
  const auto columns = parts.size() == 2 ? parse_int64(parts[1]) : std::nullopt;
  if (!rows || !columns || *rows < 1 || *columns < 1 || *rows > kMaxArraySide || *columns > kMaxArraySide) {
    return fail(Errc::invalid_input, "\"{}\" is not ROWSxCOLS (example: 64x64)", printable(text));
  }
  return Array{*rows, *columns};
}

std::string to_text(const Array& array) { return fmt::format("{}x{}", array.rows, array.columns); }

Result<Scratchpads> parse_scratchpads(std::string_view text) {
  const auto parts = split(text, '/');
  std::vector<std::int64_t> sizes;
  for (const std::string_view part : parts) {
    const auto size = parse_int64(part);
    if (size && *size >= 1 && *size <= kLargestScratchpad / kKibi) sizes.push_back(*size * kKibi);
  }
  if (sizes.size() != 3 || parts.size() != 3) {
    return fail(Errc::invalid_input, "\"{}\" is not IFMAP/FILTER/OFMAP in KiB (example: 1024/2048/1024)",
                printable(text));
  }
  return Scratchpads{sizes[0], sizes[1], sizes[2]};
}

std::string to_text(const Scratchpads& s) {
  const auto kib = [](std::int64_t words) { return shortest_text(static_cast<double>(words) / kKibi); };
  return fmt::format("{}/{}/{}", kib(s.ifmap), kib(s.filter), kib(s.ofmap));
}

}  // namespace ergon::systolic
