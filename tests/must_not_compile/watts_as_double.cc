// error: cannot convert|no viable conversion
#include "base/units.h"

double number(ergon::Watts power) {
#ifdef MUST_NOT_COMPILE
  return power;
#else
  return power.si();
#endif
}
