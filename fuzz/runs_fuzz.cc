// Runs of a sweep. Whatever the text is, it is refused in words or read; what was read can be written, and
// comes back the same. Every half of a file that was read is a file as well.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/lines_mutator.h"
#include "profile/csv_lines.h"
#include "sweep/run_csv.h"

namespace {

using namespace ergon::sweep;

std::string written(const std::vector<RunRow>& rows) {
  std::string text = run_header();
  for (const RunRow& row : rows) {
    const auto line = run_line(row);
    if (!line) std::abort();
    text += *line;
  }
  return text;
}

void check(std::string_view text) {
  const auto rows = parse_runs(text, "fuzz");
  if (!rows) {
    if (rows.error().message.empty()) std::abort();
    return;
  }
  const std::string once = written(*rows);
  const auto again = parse_runs(once, "again");
  if (!again || again->size() != rows->size() || written(*again) != once) std::abort();
  for (std::size_t i = 0; i < again->size(); ++i) {
    const Run& before = (*rows)[i].run;
    const Run& after = (*again)[i].run;
    if (after.clock != as_written(before).clock || as_written(after) != after) std::abort();
  }
  const auto half =
      parse_runs(ergon::profile::whole_lines(std::string_view(once).substr(0, once.size() / 2)), "half");
  if (!half || half->size() > rows->size()) std::abort();
}

}  // namespace

namespace {

constexpr std::string_view kWords[] = {"steady",
                                       "execution",
                                       "true",
                                       "false",
                                       "power_cap;idle",
                                       "clock_changed;too_short",
                                       "900",
                                       "885.123456789",
                                       "2023-11-14T22:13:20Z",
                                       "resnet50",
                                       "8"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check(run_header() + std::string(text));
  return 0;
}
