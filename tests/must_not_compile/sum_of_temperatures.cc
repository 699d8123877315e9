// error: no match for .*operator\+|invalid operands to binary expression
#include "base/units.h"

auto sum() {
  using namespace ergon::literals;
#ifdef MUST_NOT_COMPILE
  return 40_degC + 20_degC;
#else
  return 40_degC - 20_degC;
#endif
}
