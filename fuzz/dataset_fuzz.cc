// Dataset rows. Any text is rejected with a message or parsed; parsed rows can be written and read back
// unchanged.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/lines_mutator.h"
#include "profile/composition_csv.h"
#include "profile/csv_lines.h"
#include "profile/row_csv.h"

namespace {

using namespace ergon::profile;

std::string written(const std::vector<Row>& rows, Subject::Kind what) {
  std::string text = row_header(what);
  for (const Row& row : rows) {
    const auto line = row_line(row);
    if (!line) std::abort();
    text += *line;
  }
  return text;
}

void check_rows(std::string_view text, Subject::Kind what) {
  const auto rows = parse_rows(text, "fuzz", what);
  if (!rows) {
    if (rows.error().message.empty()) std::abort();
    return;
  }
  const std::string once = written(*rows, what);
  const auto again = parse_rows(once, "again", what);
  if (!again || again->size() != rows->size() || written(*again, what) != once) std::abort();
}

void check_compositions(std::string_view text) {
  const auto parsed = parse_compositions(text, "fuzz");
  if (!parsed) return;
  if (parsed->whole > text.size()) std::abort();
  const auto whole = parse_compositions(text.substr(0, parsed->whole), "whole");
  if (!whole || whole->compositions.size() != parsed->compositions.size()) std::abort();
  std::string once = composition_header();
  for (const Composition& one : parsed->compositions) once += composition_lines(one);
  const auto again = parse_compositions(once, "again");
  if (!again || again->whole != once.size() || again->compositions.size() != parsed->compositions.size())
    std::abort();
}

}  // namespace

namespace {

constexpr std::string_view kWords[] = {"training",
                                       "inference",
                                       "fp32",
                                       "tf32",
                                       "bf16",
                                       "fp16",
                                       "true",
                                       "false",
                                       "eager",
                                       "python",
                                       "native",
                                       "2026-05-04T10:00:00Z",
                                       "0000000000000010",
                                       "GPU-a",
                                       "resnet50",
                                       "channels_last",
                                       "nchw",
                                       "8"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string header = row_header(Subject::Kind::operation);
  check_rows(text, Subject::Kind::operation);
  check_rows(header + std::string(text), Subject::Kind::operation);
  check_rows(text, Subject::Kind::network);
  check_rows(whole_lines(text), Subject::Kind::network);
  check_compositions(text);
  check_compositions(composition_header() + std::string(text));
  return 0;
}
