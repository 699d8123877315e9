// error: cannot convert|no viable conversion
#include "base/result.h"

ergon::Result<int> measure() { return 1; }

int careless() {
#ifdef MUST_NOT_COMPILE
  return measure();
#else
  return measure().value_or(0);
#endif
}
