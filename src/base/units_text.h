#pragma once

// Quantities in text: "900MHz", "250 W", "20ms", "4MiB", "122GB/s", "85 degC", "80%".

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace ergon {

// Kind of a quantity; one per quantity type.
enum class QuantityKind {
  power,
  energy,
  time,
  frequency,
  cycles,
  data,
  data_rate,
  voltage,
  temperature,
  temperature_difference,
  ratio,
};

// The kind of each quantity type. A type without a kind has no text form.
constexpr QuantityKind kind_of(Watts) { return QuantityKind::power; }
constexpr QuantityKind kind_of(Joules) { return QuantityKind::energy; }
constexpr QuantityKind kind_of(Seconds) { return QuantityKind::time; }
constexpr QuantityKind kind_of(Hertz) { return QuantityKind::frequency; }
constexpr QuantityKind kind_of(Cycles) { return QuantityKind::cycles; }
constexpr QuantityKind kind_of(Bytes) { return QuantityKind::data; }
constexpr QuantityKind kind_of(BytesPerSecond) { return QuantityKind::data_rate; }
constexpr QuantityKind kind_of(Volts) { return QuantityKind::voltage; }
constexpr QuantityKind kind_of(Celsius) { return QuantityKind::temperature; }
constexpr QuantityKind kind_of(Kelvins) { return QuantityKind::temperature_difference; }
constexpr QuantityKind kind_of(Ratio) { return QuantityKind::ratio; }

// The number in SI units (degrees for a temperature) that `text` denotes. `name` says what the value is for,
// such as an option, and begins the error message; it may be empty:
//   --power-limit: "250Hz" is a frequency; expected a power (example: 250W)
// Letter case matters (mW, MW). A number without a unit is accepted only for a ratio.
Result<double> parse_si(std::string_view text, QuantityKind expected, std::string_view name);

// For display: four significant digits and a prefix, "1.235 GHz", "2.5 h", "512 MiB".
std::string si_to_text(double si, QuantityKind kind);

// For files: parse_si returns exactly the same number.
std::string si_to_exact_text(double si, QuantityKind kind);

template <typename Q>
Result<Q> parse_quantity(std::string_view text, std::string_view name) {
  const auto si = parse_si(text, kind_of(Q{}), name);
  if (!si) return si.error();
  return Q{*si};
}

template <Dimension D>
std::string to_text(Quantity<D> q) {
  return si_to_text(q.si(), kind_of(q));
}
inline std::string to_text(Celsius t) { return si_to_text(t.degrees(), QuantityKind::temperature); }

template <Dimension D>
std::string to_exact_text(Quantity<D> q) {
  return si_to_exact_text(q.si(), kind_of(q));
}
inline std::string to_exact_text(Celsius t) {
  return si_to_exact_text(t.degrees(), QuantityKind::temperature);
}

}  // namespace ergon
