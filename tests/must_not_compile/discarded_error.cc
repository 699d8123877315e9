// error: nodiscard|ignoring return(ed)? value
#include "base/result.h"

ergon::Result<int> measure() {
#ifdef MUST_NOT_COMPILE
  ergon::fail(ergon::Errc::io, "lost");
  return 1;
#else
  return ergon::fail(ergon::Errc::io, "lost");
#endif
}
