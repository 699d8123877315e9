// error: no match for .*operator\+|invalid operands to binary expression
#include "base/units.h"

auto sum() {
  using namespace ergon::literals;
#ifdef MUST_NOT_COMPILE
  return 250_W + 10_J;
#else
  return 250_W * 2_s + 10_J;
#endif
}
