#include "systolic/scalesim/ini.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::systolic::scalesim {
namespace {

// A comment takes the rest of a line that begins with it.
bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with(';'); }

}  // namespace

Result<Ini> parse_ini(std::string_view text, std::string_view source) {
  Ini ini;
  Ini::Section* section = nullptr;
  Ini::Value* last = nullptr;
  std::size_t number = 0;
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  while (!text.empty()) {
    const std::string_view raw = take_line(text);
    ++number;
    const auto here = [&](const Error& error) { return error.in(fmt::format("{}:{}", source, number)); };
    const std::string_view line = trim(raw);
    if (line.empty() || is_comment(line)) continue;
    if (last != nullptr && (raw[0] == ' ' || raw[0] == '\t') && line[0] != '[') {
      // An indented line goes on with the value above, unless it is a setting itself.
      if (line.find_first_of("=:") == std::string_view::npos) {
        last->text += fmt::format("{}{}", last->text.empty() ? "" : "\n", line);
        continue;
      }
    }
    if (line[0] == '[') {
      const auto end = line.find(']');
      if (end == std::string_view::npos) {
        return here(fail(Errc::invalid_input, "a section without a \"]\": {}", printable(line)));
      }
      const std::string_view name = trim(line.substr(1, end - 1));
      if (ini.sections.contains(name)) {
        return here(fail(Errc::invalid_input, "a second section [{}]", printable(name)));
      }
      section = &ini.sections[std::string(name)];
      last = nullptr;
      continue;
    }
    const auto mark = line.find_first_of("=:");
    if (mark == std::string_view::npos || mark == 0) {
      return here(
          fail(Errc::invalid_input, "\"{}\" is neither a section nor \"key = value\"", printable(line)));
    }
    if (section == nullptr) {
      return here(fail(Errc::invalid_input, "\"{}\" stands before the first section", printable(line)));
    }
    const std::string key(trim(line.substr(0, mark)));
    const auto [position, added] =
        section->try_emplace(lower(key), Ini::Value{key, std::string(trim(line.substr(mark + 1))), number});
    if (!added) {
      return here(fail(Errc::invalid_input, "{} is set a second time (first in line {})", printable(key),
                       position->second.line));
    }
    last = &position->second;
  }
  return ini;
}

}  // namespace ergon::systolic::scalesim
