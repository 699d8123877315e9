#include "base/number_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon {

std::string rounded_text(double number, int digits) {
  std::string text = fmt::format("{:.{}g}", number, digits);
  if (!std::isfinite(number) || text.find('e') == std::string::npos) return text;
  const auto rounded = parse_double(text);
  return rounded ? shortest_text(*rounded) : text;
}

std::string grouped_text(double number, int digits) {
  constexpr std::size_t kUngrouped = 4;  // digits before the decimal point
  std::string text = rounded_text(number, digits);
  if (text.find_first_not_of("-0123456789.") != std::string::npos) return text;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find('.'), text.size());
  if (end - sign <= kUngrouped) return text;
  for (std::size_t at = end - 3; at > sign; at -= 3) {
    text.insert(at, 1, ',');
    if (at < 3) break;
  }
  return text;
}

}  // namespace ergon
