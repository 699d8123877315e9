#include "base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace ergon {

void contract_broken(const char* condition, const char* file, int line) {
  // The only library function that prints: it cannot return an error.
  std::fprintf(stderr, "ergon: broken contract at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace ergon
