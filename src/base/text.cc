#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace ergon {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

namespace {

// from_chars knows no plus sign; "+-1" is no number all the same.
std::string_view without_plus(std::string_view text) {
  return text.starts_with('+') && !text.starts_with("+-") ? text.substr(1) : text;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  text = without_plus(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large is no number, but too small is nearly zero; only strtod tells which.
    number = std::strtod(std::string(text).c_str(), nullptr);
    return std::abs(number) < 1 ? std::optional(number) : std::nullopt;
  }
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_int64(std::string_view text) {
  text = without_plus(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string printable(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  std::string shown(text.substr(0, most));
  // Do not end in the middle of a letter of several bytes.
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (cut && !shown.empty() && continues(shown.size())) shown.pop_back();
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return cut ? shown + "..." : shown;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string grouped_digits(std::int64_t number) {
  const std::string digits = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string shortest_text(double number) {
  // Digits for what people read, an exponent where there would be too many of them.
  const double magnitude = std::abs(number);
  const bool readable = magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e15);
  std::array<char, 40> buffer{};
  char* const end = buffer.data() + buffer.size();
  const auto result = readable ? std::to_chars(buffer.data(), end, number, std::chars_format::fixed)
                               : std::to_chars(buffer.data(), end, number);
  return {buffer.data(), result.ptr};
}

namespace {

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors each cost
// one.
std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(current);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> find_ignoring_case(std::string_view name,
                                              std::span<const std::string> candidates) {
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate == name) return candidate;
    if (!found && lower(candidate) == lower(name)) found = candidate;
  }
  return found;
}

std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> candidates) {
  const std::string wanted = lower(mistyped);
  // Longer names forgive more; a third of the letters wrong is another word.
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    const std::string known = lower(candidate);
    const bool begun = wanted.size() >= 3 && known.starts_with(wanted);
    const std::size_t errors = begun ? 1 : typing_errors(wanted, known);
    if (errors < best) {
      best = errors;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view mistyped, std::span<const std::string> candidates) {
  const auto nearest = nearest_name(mistyped, candidates);
  return nearest ? fmt::format(" (did you mean \"{}\"?)", printable(*nearest)) : "";
}

}  // namespace ergon
