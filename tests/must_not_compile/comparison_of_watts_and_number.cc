// error: no match for .*operator>|invalid operands to binary expression
#include "base/units.h"

bool too_much(ergon::Watts power) {
#ifdef MUST_NOT_COMPILE
  return power > 250;
#else
  return power > ergon::Watts{250};
#endif
}
