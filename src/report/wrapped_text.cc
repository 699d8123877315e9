#include "report/wrapped_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"

namespace ergon::report {
namespace {

constexpr std::string_view kColumnGap = "  ";
constexpr std::size_t kMaxProseColumns = 3;

// A line of prose: its words, and what precedes them (indent, labels, list mark).
struct Prose {
  std::string_view label;
  std::string_view words;
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

std::size_t first_non_blank(std::string_view line, std::size_t from) {
  return std::min(line.find_first_not_of(' ', from), line.size());
}

// Start of the first column and of every column after it.
std::vector<std::size_t> column_starts(std::string_view line) {
  std::size_t start = first_non_blank(line, 0);
  if (line.substr(start).starts_with("- ")) start += 2;
  std::vector<std::size_t> starts{start};
  for (;;) {
    const std::size_t gap = line.find(kColumnGap, starts.back());
    if (gap == std::string_view::npos) return starts;
    starts.push_back(first_non_blank(line, gap));
  }
}

std::string wrapped_line(std::string_view line, std::size_t width) {
  std::string unchanged = std::string(line) + "\n";
  if (display_width(line) <= width) return unchanged;
  const std::vector<std::size_t> starts = column_starts(line);
  if (starts.size() > kMaxProseColumns) return unchanged;
  const Prose prose{line.substr(0, starts.back()), line.substr(starts.back())};
  if (prose.words.find(' ') == std::string_view::npos) return unchanged;
  // Below labels that take most of the line there is no room for words.
  const std::size_t label = display_width(prose.label);
  const std::size_t indent = label <= width / 2 ? label : first_non_blank(line, 0);
  return wrapped_words(prose.words, width, std::string(prose.label), indent);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\x1b') escape = true;
    const bool continues_character = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!escape && !continues_character) ++width;
    if (c == 'm') escape = false;
  }
  return width;
}

std::string wrapped_words(std::string_view text, std::size_t width, std::string first_line,
                          std::size_t indent) {
  std::string out;
  std::string line = std::move(first_line);
  bool first_word = true;
  for (const std::string_view word : words_of(text)) {
    if (!first_word && display_width(line) + 1 + display_width(word) > width) {
      out += line + "\n";
      line = std::string(indent, ' ');
      first_word = true;
    }
    if (!first_word) line += ' ';
    line += word;
    first_word = false;
  }
  return out + line + "\n";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t used, std::size_t width) {
  std::string lines = wrapped_words(text, width, std::string(used, ' '), indent);
  lines.erase(0, used);
  lines.pop_back();
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : words_of(text)) longest = std::max(longest, display_width(word));
  return longest;
}

std::string wrapped_report(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const bool has_newline = end < text.size();
    out += wrapped_line(text.substr(0, end), width);
    if (!has_newline) out.pop_back();
    text.remove_prefix(has_newline ? end + 1 : end);
  }
  return out;
}

}  // namespace ergon::report
