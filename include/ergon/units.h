#pragma once

// Quantities as types. Inside the library every number is in SI units (joules, seconds, hertz, bytes, ...).
// The dimension is part of the type: the compiler checks W * s = J and cycles / Hz = s, and rejects a bare
// number, or megahertz in place of watts.
//
// A quantity is one double. Integer bytes and cycles are exact up to 2^53 (9 PB, a month at 3 GHz).

#include <compare>
#include <cstdint>

namespace ergon {

// Exponents of the base units. Frequency is cycles per second, so that a clock and a sampling rate differ in
// type.
struct Dimension {
  int joule = 0;
  int second = 0;
  int byte = 0;
  int cycle = 0;
  int volt = 0;
  int kelvin = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;

  friend constexpr Dimension operator+(Dimension a, Dimension b) {
    return {a.joule + b.joule, a.second + b.second, a.byte + b.byte,
            a.cycle + b.cycle, a.volt + b.volt,     a.kelvin + b.kelvin};
  }
  friend constexpr Dimension operator-(Dimension a, Dimension b) {
    return {a.joule - b.joule, a.second - b.second, a.byte - b.byte,
            a.cycle - b.cycle, a.volt - b.volt,     a.kelvin - b.kelvin};
  }
};

template <Dimension D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : si_(si) {}

  // The number in SI units, for borders (files, vendor calls, JSON) where the name carries the unit.
  constexpr double si() const { return si_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;

  constexpr Quantity operator-() const { return Quantity{-si_}; }
  constexpr Quantity& operator+=(Quantity other) { return si_ += other.si_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return si_ -= other.si_, *this; }
  constexpr Quantity& operator*=(double factor) { return si_ *= factor, *this; }
  constexpr Quantity& operator/=(double divisor) { return si_ /= divisor, *this; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return a *= factor; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a *= factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return a /= divisor; }

 private:
  double si_ = 0;
};

template <Dimension A, Dimension B>
constexpr Quantity<A + B> operator*(Quantity<A> a, Quantity<B> b) {
  return Quantity<A + B>{a.si() * b.si()};
}
template <Dimension A, Dimension B>
constexpr Quantity<A - B> operator/(Quantity<A> a, Quantity<B> b) {
  return Quantity<A - B>{a.si() / b.si()};
}

using Ratio = Quantity<Dimension{}>;
using Joules = Quantity<Dimension{.joule = 1}>;
using Seconds = Quantity<Dimension{.second = 1}>;
using Watts = Quantity<Dimension{.joule = 1, .second = -1}>;
using Cycles = Quantity<Dimension{.cycle = 1}>;
using Hertz = Quantity<Dimension{.second = -1, .cycle = 1}>;
using Bytes = Quantity<Dimension{.byte = 1}>;
using BytesPerSecond = Quantity<Dimension{.second = -1, .byte = 1}>;
using Volts = Quantity<Dimension{.volt = 1}>;
using Kelvins = Quantity<Dimension{.kelvin = 1}>;  // a temperature difference

// A temperature on the Celsius scale. Two temperatures have a difference (Kelvins) but no sum.
class Celsius {
 public:
  constexpr Celsius() = default;
  constexpr explicit Celsius(double degrees) : degrees_(degrees) {}

  constexpr double degrees() const { return degrees_; }

  friend constexpr auto operator<=>(Celsius, Celsius) = default;
  friend constexpr Kelvins operator-(Celsius a, Celsius b) { return Kelvins{a.degrees_ - b.degrees_}; }
  friend constexpr Celsius operator+(Celsius a, Kelvins warmer) { return Celsius{a.degrees_ + warmer.si()}; }
  friend constexpr Celsius operator-(Celsius a, Kelvins cooler) { return Celsius{a.degrees_ - cooler.si()}; }

 private:
  double degrees_ = 0;
};

constexpr Bytes bytes(std::uint64_t count) { return Bytes{static_cast<double>(count)}; }
constexpr Cycles cycles(std::uint64_t count) { return Cycles{static_cast<double>(count)}; }

// 250_W, 900_MHz, 20_ms: for tests and constants.
namespace literals {

// Two factors, because a division by 1000 rounds once where a product with 0.001 would round twice.
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses.
#define ERGON_LITERAL(suffix, Type, times, over)                                      \
  constexpr Type operator""_##suffix(long double n) {                                 \
    return Type{static_cast<double>(n * (times) / (over))};                           \
  }                                                                                   \
  constexpr Type operator""_##suffix(unsigned long long n) {                          \
    return Type{static_cast<double>(static_cast<long double>(n) * (times) / (over))}; \
  }

ERGON_LITERAL(W, Watts, 1, 1)
ERGON_LITERAL(mW, Watts, 1, 1e3L)
ERGON_LITERAL(J, Joules, 1, 1)
ERGON_LITERAL(mJ, Joules, 1, 1e3L)
ERGON_LITERAL(s, Seconds, 1, 1)
ERGON_LITERAL(ms, Seconds, 1, 1e3L)
ERGON_LITERAL(us, Seconds, 1, 1e6L)
ERGON_LITERAL(ns, Seconds, 1, 1e9L)
ERGON_LITERAL(Hz, Hertz, 1, 1)
ERGON_LITERAL(MHz, Hertz, 1e6L, 1)
ERGON_LITERAL(GHz, Hertz, 1e9L, 1)
ERGON_LITERAL(B, Bytes, 1, 1)
ERGON_LITERAL(KiB, Bytes, 1024, 1)
ERGON_LITERAL(MiB, Bytes, 1048576, 1)
ERGON_LITERAL(GiB, Bytes, 1073741824, 1)
ERGON_LITERAL(GBps, BytesPerSecond, 1e9L, 1)
ERGON_LITERAL(V, Volts, 1, 1)
ERGON_LITERAL(degC, Celsius, 1, 1)
ERGON_LITERAL(cycles, Cycles, 1, 1)

#undef ERGON_LITERAL
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace literals
}  // namespace ergon
