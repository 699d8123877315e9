#include "table/inflate/inflate.h"

#if ERGON_HAS_ZSTD
#include <memory>
#include <vector>

#include <zstd.h>

namespace ergon::table {

Result<> inflate_zstd(std::string_view compressed, const TextSink& sink) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  if (stream == nullptr) return fail(Errc::io, "no memory to expand zstd data");

  std::vector<char> buffer(std::size_t{1} << 20);
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  std::size_t wanted = 1;  // 0 exactly at the end of a frame
  bool filled = false;     // the last call filled the buffer, so more may be waiting inside
  while (in.pos < in.size || filled) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    wanted = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(wanted) != 0) {
      return fail(Errc::invalid_input, "damaged zstd data near byte {} ({})", in.pos,
                  ZSTD_getErrorName(wanted));
    }
    filled = out.pos == out.size;
    if (out.pos > 0) {
      if (auto taken = sink({buffer.data(), out.pos}); !taken) return taken;
    }
    if (wanted == 0 && in.pos == in.size) break;
  }
  if (wanted != 0) return fail(Errc::invalid_input, "the zstd data ends in the middle (truncated?)");
  return {};
}

}  // namespace ergon::table
#else
namespace ergon::table {
Result<> inflate_zstd(std::string_view, const TextSink&) {
  return fail(Errc::unsupported, "this build of ergon cannot expand zstd files");
}
}  // namespace ergon::table
#endif
