#include "fuzz/lines_mutator.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "fuzz/mutation.h"

namespace ergon::fuzz {
namespace {

using Line = std::vector<std::string>;

constexpr std::array<std::string_view, 24> kUnusual = {"",
                                                       "0",
                                                       "-0",
                                                       "-1",
                                                       "1",
                                                       "0.5",
                                                       "1e308",
                                                       "1e-308",
                                                       "1e999",
                                                       "nan",
                                                       "inf",
                                                       "-inf",
                                                       "0x10",
                                                       "true",
                                                       "\"\"",
                                                       "\"a,\"\"b\"",
                                                       "N/A",
                                                       "[N/A]",
                                                       "\xEF\xBB\xBF",
                                                       "\"",
                                                       "  1  ",
                                                       "%",
                                                       "9223372036854775807",
                                                       "18446744073709551616"};

std::string new_field(const std::vector<Line>& lines, const LineFormat& format, Random& random) {
  const std::uint64_t source = random.below(4);
  if (source == 0 && !format.words.empty()) return std::string(pick(format.words, random));
  if (source == 1) return std::string(pick(kUnusual, random));
  return pick(pick(lines, random), random);
}

void change_line(Line& line, const std::vector<Line>& lines, const LineFormat& format, Random& random) {
  const auto position = [&] { return line.begin() + static_cast<std::ptrdiff_t>(random.below(line.size())); };
  switch (random.below(8)) {
    case 0:
      line.insert(position(), new_field(lines, format, random));
      return;
    case 1:
      if (line.size() > 1) line.erase(position());
      return;
    case 2:
      std::swap(*position(), *position());
      return;
    case 3:
      *position() = with_mutated_bytes(*position());
      return;
    default: {
      std::string field = new_field(lines, format, random);
      *position() = std::move(field);
    }
  }
}

void change(std::vector<Line>& lines, const LineFormat& format, Random& random) {
  const auto position = [&] {
    return lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size()));
  };
  switch (random.below(8)) {
    case 0:
      std::swap(*position(), *position());
      return;
    case 1:
      if (lines.size() > 1) lines.erase(position());
      return;
    case 2: {
      const Line copy = *position();
      lines.insert(position(), copy);
      return;
    }
    case 3: {  // the same column in all lines: moved, repeated or removed
      const std::size_t column = random.below(position()->size()), kind = random.below(3);
      for (Line& line : lines) {
        if (column >= line.size()) continue;
        const std::string field = line[column];
        if (kind != 0) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
        if (kind != 1) line.insert(line.begin(), field);
        if (line.empty()) line.emplace_back();
      }
      return;
    }
    default: {
      Line line = *position();
      change_line(line, lines, format, random);
      *position() = std::move(line);
    }
  }
}

std::vector<Line> lines_of(std::string_view text, const LineFormat& format) {
  std::vector<Line> lines;
  for (const std::string_view line : split(text, '\n')) {
    lines.emplace_back();
    for (const std::string_view field : split(line, format.separator)) lines.back().emplace_back(field);
    if (lines.back().empty()) lines.back().emplace_back();
  }
  if (lines.empty()) lines.push_back({""});
  return lines;
}

std::string joined(const std::vector<Line>& lines, const LineFormat& format) {
  std::string text;
  for (const Line& line : lines) {
    for (const std::string& field : line) {
      if (&field != &line.front()) text += format.separator;
      text += field;
    }
    if (&line != &lines.back()) text += '\n';
  }
  return text;
}

std::size_t mutate_lines(const Input& input, unsigned seed) {
  Random random(seed);
  if (one_in(random, 8)) return input.mutate_bytes();
  const LineFormat format = line_format();
  std::vector<Line> lines = lines_of(input.text(), format);
  for (int i = number_of_changes(random); i > 0; --i) change(lines, format, random);
  return input.replace(joined(lines, format));
}

// The lines of `text`, with some lines of `other` anywhere between them.
std::string crossed(std::string_view text, std::string_view other, unsigned seed) {
  Random random(seed);
  const LineFormat format = line_format();
  std::vector<Line> lines = lines_of(text, format);
  std::vector<Line> donors = lines_of(other, format);
  for (int i = number_of_changes(random); i > 0; --i) {
    const auto position = static_cast<std::ptrdiff_t>(random.below(lines.size() + 1));
    lines.insert(lines.begin() + position, pick(donors, random));
  }
  return joined(lines, format);
}

}  // namespace
}  // namespace ergon::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return ergon::fuzz::mutate_lines({data, size, max_size}, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  using ergon::fuzz::text_of;
  return ergon::fuzz::Input{out, 0, max_size}.replace(
      ergon::fuzz::crossed(text_of(first, first_size), text_of(second, second_size), seed));
}
