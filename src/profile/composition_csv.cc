#include "profile/composition_csv.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "profile/csv_lines.h"
#include "profile/named.h"

namespace ergon::profile {
namespace {

enum CompositionColumn : std::uint8_t { network, batch, mode, operation, count };
constexpr std::array<CsvLines::Column, 5> kColumns{
    {{"network"}, {"batch"}, {"mode"}, {"operation"}, {"count"}}};

bool same_network(const Composition& a, const Composition& b) {
  return a.network == b.network && a.batch == b.batch && a.mode == b.mode;
}

// One line as a composition with one part, whose operation is empty in the last line.
Result<Composition> read_line(const CsvLines& lines) {
  const auto field = [&](CompositionColumn column) { return lines.field(column).value_or(""); };
  Composition line;
  line.network = field(network);
  if (line.network.empty()) return lines.unreadable(network, "a name");
  const auto batch_size = parse_int64(field(batch));
  if (!batch_size || *batch_size < 1) return lines.unreadable(batch, "a whole number above 0");
  line.batch = *batch_size;
  const auto which = named(field(mode), {graph::Mode::inference, graph::Mode::training});
  if (!which) return lines.unreadable(mode, "inference or training");
  line.mode = *which;
  const auto number = parse_int64(field(count));
  if (!number || *number < 0) return lines.unreadable(count, "a whole number");
  line.parts.push_back({std::string(field(operation)), *number});
  return line;
}

}  // namespace

std::string composition_header() { return "network,batch,mode,operation,count\n"; }

std::string composition_lines(const Composition& composition) {
  std::string beginning;
  append_field(beginning, composition.network);
  fmt::format_to(std::back_inserter(beginning), ",{},{}", composition.batch, name_of(composition.mode));
  std::string lines;
  for (const auto& [part, times] : composition.parts) {
    ERGON_EXPECTS(!part.empty() && times >= 0);
    lines += beginning;
    lines += ',';
    append_field(lines, part);
    fmt::format_to(std::back_inserter(lines), ",{}\n", times);
  }
  fmt::format_to(std::back_inserter(lines), "{},,{}\n", beginning, composition.parts.size());
  return lines;
}

Result<ParsedCompositions> parse_compositions(std::string_view text, std::string_view source) {
  auto lines = CsvLines::open(text, source, kColumns);
  if (!lines) return lines.error();
  ParsedCompositions parsed{.compositions = {}, .whole = lines->position()};
  std::optional<Composition> open;
  for (;;) {
    const auto more = lines->next();
    if (!more) return more.error();
    if (!*more) return parsed;
    auto line = read_line(*lines);
    if (!line) return line.error();
    if (open && !same_network(*open, *line)) {
      return lines->damaged(
          fmt::format("the composition of {} above is incomplete", printable(open->network)));
    }
    const Composition::Part part = line->parts.front();
    if (!open) {
      open = std::move(*line);
      open->parts.clear();
    }
    if (!part.operation.empty()) {
      open->parts.push_back(part);
      continue;
    }
    if (static_cast<std::size_t>(part.count) != open->parts.size()) {
      return lines->damaged(fmt::format("expected {}, found {}",
                                        counted(static_cast<std::uint64_t>(part.count), "part"),
                                        open->parts.size()));
    }
    parsed.compositions.push_back(std::move(*open));
    open.reset();
    parsed.whole = lines->position();
  }
}

}  // namespace ergon::profile
