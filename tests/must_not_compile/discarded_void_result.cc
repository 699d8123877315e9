// error: nodiscard|ignoring return(ed)? value
#include "base/result.h"

ergon::Result<> write() { return {}; }

void careless() {
#ifdef MUST_NOT_COMPILE
  write();
#else
  if (!write()) return;
#endif
}
