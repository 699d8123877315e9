// Quantities and numbers in text: no crash, and what is accepted reads back from its exact text.

#include <cstdint>
#include <cstdlib>

#include "base/units_text.h"

namespace {

using namespace ergon;

template <typename Q>
void check(std::string_view text) {
  const auto parsed = parse_quantity<Q>(text, "fuzz");
  if (!parsed) return;
  const auto again = parse_quantity<Q>(to_exact_text(*parsed), "fuzz");
  if (!again || *again != *parsed) std::abort();
  if (to_text(*parsed).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check<Watts>(text);
  check<Joules>(text);
  check<Seconds>(text);
  check<Hertz>(text);
  check<Cycles>(text);
  check<Bytes>(text);
  check<BytesPerSecond>(text);
  check<Volts>(text);
  check<Celsius>(text);
  check<Ratio>(text);
  return 0;
}
