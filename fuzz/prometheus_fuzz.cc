#include "fleet/prometheus/range_query.h"

using namespace ergon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)fleet::parse_matrix({reinterpret_cast<const char*>(data), size});
  return 0;
}
