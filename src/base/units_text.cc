#include "base/units_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/text.h"

// A unit has a symbol, a kind and a size in SI units. A prefix multiplies it by a power of 10 or, for bytes,
// of 1024. Decimal prefixes are applied to the decimal text, not to the parsed double: "0.1GHz" is parsed as
// 0.1e9, correctly rounded, and printing moves the decimal point of the shortest text. Therefore printing and
// parsing are exact inverses.

namespace ergon {
namespace {

enum class Prefixes { none, decimal, binary };  // binary units accept decimal prefixes, too

struct Unit {
  std::string_view symbol;
  QuantityKind kind;
  double si;
  Prefixes prefixes;
};

struct Prefix {
  std::string_view symbol;
  int power_of_ten;
  double factor;
};

struct BinaryPrefix {
  std::string_view symbol;
  double factor;
};

// Name and example of a kind for error messages, and its unit for printing.
struct KindText {
  QuantityKind kind;
  std::string_view noun;
  std::string_view example;
  std::string_view symbol;
  Prefixes prefixes;
};

using enum QuantityKind;

constexpr std::array kUnits{
    Unit{"W", power, 1, Prefixes::decimal},
    Unit{"J", energy, 1, Prefixes::decimal},
    Unit{"Wh", energy, 3600, Prefixes::decimal},
    Unit{"s", time, 1, Prefixes::decimal},
    Unit{"min", time, 60, Prefixes::none},
    Unit{"h", time, 3600, Prefixes::none},
    Unit{"d", time, 86400, Prefixes::none},
    Unit{"Hz", frequency, 1, Prefixes::decimal},
    Unit{"cycles", cycles, 1, Prefixes::decimal},
    Unit{"cycle", cycles, 1, Prefixes::none},
    Unit{"B", data, 1, Prefixes::binary},
    Unit{"B/s", data_rate, 1, Prefixes::binary},
    Unit{"V", voltage, 1, Prefixes::decimal},
    Unit{"degC", temperature, 1, Prefixes::none},
    Unit{"C", temperature, 1, Prefixes::none},
    Unit{"\u00b0C", temperature, 1, Prefixes::none},
    Unit{"K", temperature_difference, 1, Prefixes::decimal},
    Unit{"%", ratio, 0.01, Prefixes::none},
};

constexpr std::array kPrefixes{
    Prefix{"p", -12, 1e-12},    Prefix{"n", -9, 1e-9}, Prefix{"u", -6, 1e-6}, Prefix{"\u00b5", -6, 1e-6},
    Prefix{"\u03bc", -6, 1e-6}, Prefix{"m", -3, 1e-3}, Prefix{"k", 3, 1e3},   Prefix{"M", 6, 1e6},
    Prefix{"G", 9, 1e9},        Prefix{"T", 12, 1e12}, Prefix{"P", 15, 1e15}, Prefix{"E", 18, 1e18},
};

constexpr std::array kBinaryPrefixes{
    BinaryPrefix{"Ki", 0x1p10}, BinaryPrefix{"Mi", 0x1p20}, BinaryPrefix{"Gi", 0x1p30},
    BinaryPrefix{"Ti", 0x1p40}, BinaryPrefix{"Pi", 0x1p50}, BinaryPrefix{"Ei", 0x1p60},
};

constexpr std::array kKindTexts{
    KindText{power, "a power", "250W", "W", Prefixes::decimal},
    KindText{energy, "an energy", "40J", "J", Prefixes::decimal},
    KindText{time, "a time", "20ms", "s", Prefixes::decimal},
    KindText{frequency, "a frequency", "900MHz", "Hz", Prefixes::decimal},
    KindText{cycles, "a number of cycles", "2000cycles", "cycles", Prefixes::decimal},
    KindText{data, "a number of bytes", "4MiB", "B", Prefixes::binary},
    KindText{data_rate, "a data rate", "122GB/s", "B/s", Prefixes::decimal},
    KindText{voltage, "a voltage", "850mV", "V", Prefixes::decimal},
    KindText{temperature, "a temperature", "65degC", "degC", Prefixes::none},
    KindText{temperature_difference, "a temperature difference", "5K", "K", Prefixes::decimal},
    KindText{ratio, "a ratio", "80% or 0.8", "", Prefixes::none},
};

const KindText& text_of(QuantityKind kind) {
  const auto& entry = kKindTexts[static_cast<std::size_t>(kind)];
  ERGON_EXPECTS(entry.kind == kind);
  return entry;
}

// A unit from the input, with its prefix.
struct ParsedUnit {
  QuantityKind kind;
  double factor;
  int power_of_ten;
};

std::optional<ParsedUnit> find_unit(std::string_view written) {
  for (const Unit& unit : kUnits) {
    if (written == unit.symbol) return ParsedUnit{unit.kind, unit.si, 0};
  }
  for (const Unit& unit : kUnits) {
    if (unit.prefixes == Prefixes::none || !written.ends_with(unit.symbol)) continue;
    const auto before = written.substr(0, written.size() - unit.symbol.size());
    for (const Prefix& prefix : kPrefixes) {
      if (before == prefix.symbol) return ParsedUnit{unit.kind, unit.si, prefix.power_of_ten};
    }
    if (unit.prefixes != Prefixes::binary) continue;
    for (const BinaryPrefix& prefix : kBinaryPrefixes) {
      if (before == prefix.symbol) return ParsedUnit{unit.kind, unit.si * prefix.factor, 0};
    }
  }
  return std::nullopt;
}

// Correction of common mistakes such as "mhz", "KB" or "sec", for an error message; may be empty.
std::string unit_hint(std::string_view written) {
  if (written == "KB") return " (kB is 1000 bytes, KiB is 1024)";
  if (written == "b" || written.ends_with("b/s") || written.ends_with("bps"))
    return " (bytes are written B, as in GB/s)";
  if (written == "sec" || written == "seconds" || written == "second") return " (seconds are written s)";
  if (written == "m" || written == "minutes") return " (minutes are written min)";
  const std::string folded = lower(written);
  std::string found;
  const auto consider = [&](const std::string& candidate) {
    if (lower(candidate) == folded) found += found.empty() ? candidate : " or " + candidate;
  };
  for (const Unit& unit : kUnits) {
    consider(std::string(unit.symbol));
    if (unit.prefixes == Prefixes::none) continue;
    for (const Prefix& prefix : kPrefixes) consider(fmt::format("{}{}", prefix.symbol, unit.symbol));
    if (unit.prefixes != Prefixes::binary) continue;
    for (const BinaryPrefix& prefix : kBinaryPrefixes)
      consider(fmt::format("{}{}", prefix.symbol, unit.symbol));
  }
  return found.empty() ? "" : fmt::format(" (did you mean {}?)", found);
}

// Parses "12.5e3" times a power of ten as one decimal number, so that it is rounded once.
std::optional<double> parse_scaled(std::string_view number, int power_of_ten) {
  if (!number.empty() && number.front() == '+') number.remove_prefix(1);
  const auto e = number.find_first_of("eE");
  const auto exponent =
      e == std::string_view::npos ? std::int64_t{0} : parse_int64(number.substr(e + 1)).value_or(0);
  if (std::abs(exponent) > 100000) return std::nullopt;
  return parse_double(fmt::format("{}e{}", number.substr(0, e), exponent + power_of_ten));
}

// Splits "250 W" into number and unit. The number is empty if the text does not begin with one.
std::pair<std::string_view, std::string_view> split_number(std::string_view text) {
  const std::size_t sign = !text.empty() && (text.front() == '+' || text.front() == '-') ? 1 : 0;
  const bool begins_with_digit =
      text.size() > sign && (text[sign] == '.' || (text[sign] >= '0' && text[sign] <= '9'));
  if (!begins_with_digit) return {{}, text};  // from_chars would accept "nan" and "inf"
  const std::size_t skipped = text.front() == '+' ? 1 : 0;
  double ignored = 0;
  const char* const begin = text.data() + skipped;
  const auto result = std::from_chars(begin, text.data() + text.size(), ignored);
  if (result.ec == std::errc::invalid_argument) return {{}, text};
  const auto length = static_cast<std::size_t>(result.ptr - text.data());
  return {text.substr(0, length), trim(text.substr(length))};
}

// `number / 10^shift` as decimal text, exact: the decimal point of the shortest text is moved.
std::string shifted_decimal(double number, int shift) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto e = text.find('e');
  const int exponent = static_cast<int>(*parse_int64(text.substr(e + 1))) - shift;
  const bool negative = text.front() == '-';
  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  std::string shown = negative ? "-" : "";
  if (exponent < -6 || exponent > 20) {
    shown += digits.substr(0, 1);
    if (digits.size() > 1) shown += "." + digits.substr(1);
    return shown + fmt::format("e{:+}", exponent);
  }
  if (exponent < 0) return shown + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return shown + digits + std::string(whole - digits.size(), '0');
  return shown + digits.substr(0, whole) + "." + digits.substr(whole);
}

// A number and the prefix of its unit.
struct Scaled {
  std::string number;
  std::string_view prefix;
};

Scaled scale_binary(double si, std::string (*print)(double)) {
  const BinaryPrefix* best = nullptr;
  for (const BinaryPrefix& prefix : kBinaryPrefixes) {
    if (std::abs(si) >= prefix.factor) best = &prefix;
  }
  return best == nullptr ? Scaled{print(si), ""} : Scaled{print(si / best->factor), best->symbol};
}

// The largest prefix for which the scaled number is at least 1; null between 1 and 1000.
const Prefix* fitting_prefix(double magnitude) {
  if (magnitude >= 1 && magnitude < 1000) return nullptr;
  const Prefix* best = nullptr;
  for (const Prefix& prefix : kPrefixes) {
    const bool printable = prefix.symbol.size() == 1;  // ASCII "u", not the Greek letter
    if (printable && (best == nullptr || magnitude >= prefix.factor)) best = &prefix;
  }
  return best;
}

std::string four_digits(double number) {
  std::string text = fmt::format("{:.4g}", number);
  return text.find('e') == std::string::npos ? text : shortest_text(*parse_double(text));
}

}  // namespace

Result<double> parse_si(std::string_view text, QuantityKind expected, std::string_view name) {
  const std::string_view trimmed = trim(text);
  const auto error = [&](std::string_view problem) {
    return fail(Errc::invalid_input, "{}{}\"{}\" {}; expected {} (example: {})", name,
                name.empty() ? "" : ": ", printable(trimmed), problem, text_of(expected).noun,
                text_of(expected).example);
  };
  const auto [number, unit] = split_number(trimmed);
  if (number.empty()) return error("does not begin with a number");
  const auto parsed = unit.empty() && expected == ratio ? ParsedUnit{ratio, 1, 0} : find_unit(unit);
  if (!parsed && unit.empty()) return error("has no unit");
  if (!parsed) return error(fmt::format("has an unknown unit{}", unit_hint(unit)));
  if (parsed->kind != expected) return error(fmt::format("is {}", text_of(parsed->kind).noun));
  const auto scaled = parse_scaled(number, parsed->power_of_ten);
  const double si = scaled.value_or(HUGE_VAL) * parsed->factor;
  if (!std::isfinite(si)) return error("is out of range");
  return si;
}

std::string si_to_text(double si, QuantityKind kind) {
  const KindText& kind_text = text_of(kind);
  if (kind == ratio) return fmt::format("{}%", four_digits(si * 100));
  if (kind == time && std::abs(si) >= 7200) return fmt::format("{} h", four_digits(si / 3600));
  if (kind == time && std::abs(si) >= 120) return fmt::format("{} min", four_digits(si / 60));
  if (kind_text.prefixes == Prefixes::binary) {
    const auto [number, prefix] = scale_binary(si, four_digits);
    return fmt::format("{} {}{}", number, prefix, kind_text.symbol);
  }
  if (kind_text.prefixes == Prefixes::none || si == 0 || !std::isfinite(si)) {
    return fmt::format("{} {}", four_digits(si), kind_text.symbol);
  }
  // Rounds first: 999.96 MHz is 1 GHz in four digits.
  const double rounded = *parse_double(fmt::format("{:.3e}", si));
  const bool no_kiloseconds = kind == time && std::abs(rounded) >= 1;
  const Prefix* prefix = no_kiloseconds ? nullptr : fitting_prefix(std::abs(rounded));
  if (prefix == nullptr) return fmt::format("{} {}", shifted_decimal(rounded, 0), kind_text.symbol);
  return fmt::format("{} {}{}", shifted_decimal(rounded, prefix->power_of_ten), prefix->symbol,
                     kind_text.symbol);
}

std::string si_to_exact_text(double si, QuantityKind kind) {
  const KindText& kind_text = text_of(kind);
  if (kind_text.prefixes == Prefixes::binary) {
    const auto [number, prefix] = scale_binary(si, shortest_text);
    return fmt::format("{}{}{}", number, prefix, kind_text.symbol);
  }
  if (kind_text.prefixes == Prefixes::none || si == 0)
    return shortest_text(si) + std::string(kind_text.symbol);
  const bool no_kiloseconds = kind == time && std::abs(si) >= 1;
  const Prefix* prefix = no_kiloseconds ? nullptr : fitting_prefix(std::abs(si));
  if (prefix == nullptr) return shifted_decimal(si, 0) + std::string(kind_text.symbol);
  return fmt::format("{}{}{}", shifted_decimal(si, prefix->power_of_ten), prefix->symbol, kind_text.symbol);
}

}  // namespace ergon
