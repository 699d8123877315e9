// Compressed files: any bytes expand or are refused, without a crash and without an endless text.
// "hex:" means hexadecimal digits.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/hex.h"
#include "table/inflate/inflate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  const std::string bytes = fuzz::bytes_of({reinterpret_cast<const char*>(data), size});
  const auto compression = table::compression_of(bytes);
  if (!compression) return 0;
  std::size_t expanded = 0;
  const auto done = table::inflate(*compression, bytes, [&](std::string_view more) -> Result<> {
    expanded += more.size();
    if (expanded > (std::size_t{64} << 20)) return fail(Errc::invalid_input, "enough");
    return {};
  });
  if (!done && done.error().message.empty()) std::abort();
  return 0;
}
