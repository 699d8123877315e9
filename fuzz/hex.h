#pragma once

#include <string>
#include <string_view>

namespace ergon::fuzz {

// The corpus holds text only: "hex:" and hexadecimal digits stand for bytes. Other inputs are taken as they
// are, other characters between the digits ignored.
inline std::string bytes_of(std::string_view input) {
  constexpr std::string_view kPrefix = "hex:", kDigits = "0123456789abcdef";
  if (!input.starts_with(kPrefix)) return std::string(input);
  std::string bytes;
  int high = -1;
  for (const char c : input.substr(kPrefix.size())) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    const int value = static_cast<int>(digit);
    if (high >= 0) bytes.push_back(static_cast<char>(high * 16 + value));
    high = high >= 0 ? -1 : value;
  }
  return bytes;
}

}  // namespace ergon::fuzz
