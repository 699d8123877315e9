// ISO 8601 times: no crash, and what is accepted reads back from its own text.

#include <cstdint>
#include <cstdlib>

#include "base/timestamp.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = ergon::parse_timestamp({reinterpret_cast<const char*>(data), size});
  if (parsed && ergon::parse_timestamp(ergon::to_text(*parsed)) != parsed) std::abort();
  return 0;
}
