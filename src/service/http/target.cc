#include "service/http/target.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace ergon::service {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

Result<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_space) {
      c = ' ';
    } else if (c == '%') {
      const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
      const auto low = high ? hex_digit(text[i + 2]) : std::nullopt;
      if (!low) return fail(Errc::invalid_input, "\"{}\" has an incomplete escape", printable(text));
      c = static_cast<char>(*high << 4U | *low);
      i += 2;
    }
    if (c == '\0') return fail(Errc::invalid_input, "\"{}\" contains NUL", printable(text));
    plain += c;
  }
  return plain;
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
  if (!text.starts_with('/')) return fail(Errc::invalid_input, "\"{}\" is not a path", printable(text));
  const std::size_t mark = text.find('?');
  auto path = decoded(text.substr(0, mark), false);
  if (!path) return path.error();
  Target target{std::move(*path), {}};
  if (mark == std::string_view::npos) return target;
  for (const std::string_view pair : split(text.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = decoded(pair.substr(0, equals), true);
    if (!name) return name.error();
    auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!value) return value.error();
    target.query.emplace_back(std::move(*name), std::move(*value));
  }
  std::stable_sort(target.query.begin(), target.query.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return target;
}

}  // namespace ergon::service
