// error: nodiscard|ignoring return(ed)? value
#include "base/result.h"

ergon::Result<int> measure() { return 1; }

void careless() {
#ifdef MUST_NOT_COMPILE
  measure();
#else
  if (!measure()) return;
#endif
}
