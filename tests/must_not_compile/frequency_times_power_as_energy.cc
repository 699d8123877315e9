// error: could not convert|no viable conversion|conversion from .* to non-scalar type
#include "base/units.h"

ergon::Joules energy(ergon::Watts power, ergon::Seconds time, ergon::Hertz clock) {
#ifdef MUST_NOT_COMPILE
  return static_cast<void>(time), power * clock;
#else
  return static_cast<void>(clock), power * time;
#endif
}
