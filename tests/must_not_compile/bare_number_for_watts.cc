// error: could not convert|no viable conversion|conversion from .* to non-scalar type
#include "base/units.h"

ergon::Watts limit() {
#ifdef MUST_NOT_COMPILE
  return 250.0;
#else
  return ergon::Watts{250.0};
#endif
}
