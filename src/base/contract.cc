#include "base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace ergon {

void contract_broken(const char* condition, const char* file, int line) {
  // The one place where a library writes: nothing can be returned any more.
  std::fprintf(stderr, "ergon: broken contract at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace ergon
