// error: could not convert|no viable conversion|conversion from .* to non-scalar type|cannot convert|no known conversion
#include "base/units.h"

void set_power_limit(ergon::Watts) {}

void lock() {
  using namespace ergon::literals;
#ifdef MUST_NOT_COMPILE
  set_power_limit(900_MHz);
#else
  set_power_limit(250_W);
#endif
}
