#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/units_text.h"

namespace ergon {
namespace {

// Doubles of every magnitude: random bits, and the round numbers that people type.
rc::Gen<double> any_finite() {
  return rc::gen::oneOf(
      rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                     [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
                        [](double x) { return std::isfinite(x); }),
      rc::gen::map(rc::gen::inRange(-100000, 100000), [](int n) { return n / 100.0; }),
      rc::gen::map(rc::gen::inRange(-1000, 1000), [](int n) { return n * 1e6; }));
}

template <typename Q>
void exact_text_reads_back(double number) {
  const Q quantity{number};
  const std::string text = to_exact_text(quantity);
  const auto back = parse_quantity<Q>(text, "property");
  if (!back) RC_FAIL(back.error().message);
  RC_ASSERT(*back == quantity);
}

RC_GTEST_PROP(QuantityTextProperty, ExactTextReadsBackAsTheSameNumber, ()) {
  const double number = *any_finite();
  exact_text_reads_back<Watts>(number);
  exact_text_reads_back<Joules>(number);
  exact_text_reads_back<Seconds>(number);
  exact_text_reads_back<Hertz>(number);
  exact_text_reads_back<Cycles>(number);
  exact_text_reads_back<Bytes>(number);
  exact_text_reads_back<BytesPerSecond>(number);
  exact_text_reads_back<Volts>(number);
  exact_text_reads_back<Celsius>(number);
  exact_text_reads_back<Kelvins>(number);
  exact_text_reads_back<Ratio>(number);
}

RC_GTEST_PROP(QuantityTextProperty, TextForPeopleReadsBackToFourDigits, ()) {
  const double number = *rc::gen::suchThat(
      any_finite(), [](double x) { return x == 0 || (std::abs(x) > 1e-11 && std::abs(x) < 1e20); });
  for (const auto& [text, back] : {
           std::pair{to_text(Watts{number}), parse_quantity<Watts>(to_text(Watts{number}), "p")
                                                 .and_then([](Watts w) -> Result<double> { return w.si(); })},
           std::pair{to_text(Seconds{number}),
                     parse_quantity<Seconds>(to_text(Seconds{number}), "p")
                         .and_then([](Seconds s) -> Result<double> { return s.si(); })},
           std::pair{to_text(Bytes{number}), parse_quantity<Bytes>(to_text(Bytes{number}), "p")
                                                 .and_then([](Bytes b) -> Result<double> { return b.si(); })},
       }) {
    if (!back) RC_FAIL(back.error().message);
    RC_ASSERT(std::abs(*back - number) <= 5.1e-4 * std::abs(number));
  }
}

RC_GTEST_PROP(QuantityTextProperty, NoTextCrashesAndErrorsShowIt, (const std::string& text)) {
  const auto parsed = parse_quantity<Watts>(text, "--cap");
  if (!parsed)
    RC_ASSERT(parsed.error().message.find("expected a power (example: 250W)") != std::string::npos);
}

}  // namespace
}  // namespace ergon
