#include "table/inflate/inflate.h"

#if ERGON_HAS_ZSTD
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include <zstd.h>
#include <zstd_errors.h>

namespace ergon::table {

Result<> inflate_zstd(std::string_view compressed, const CountingSink& sink, const InputLimits& limits) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  if (stream == nullptr) return fail(Errc::io, "no memory to expand zstd data");
  // The library's own bounds apply to windows that are smaller or larger than it can use.
  const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
  const auto window_log = static_cast<int>(std::bit_width(limits.window_bytes)) - 1;
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax,
                         std::clamp(window_log, bounds.lowerBound, bounds.upperBound));

  std::vector<char> buffer(std::size_t{1} << 20);
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  std::size_t wanted = 1;  // 0 exactly at the end of a frame
  bool filled = false;     // the last call filled the buffer, so more may be waiting inside
  while (in.pos < in.size || filled) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    wanted = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_getErrorCode(wanted) == ZSTD_error_frameParameter_windowTooLarge)
      return window_too_large(limits);
    if (ZSTD_isError(wanted) != 0) {
      return fail(Errc::invalid_input, "damaged zstd data near byte {} ({})", in.pos,
                  ZSTD_getErrorName(wanted));
    }
    filled = out.pos == out.size;
    if (out.pos > 0) {
      if (auto taken = sink({buffer.data(), out.pos}, in.pos); !taken) return taken;
    }
    if (wanted == 0 && in.pos == in.size) break;
  }
  if (wanted != 0) return fail(Errc::invalid_input, "the zstd data ends in the middle (truncated?)");
  return {};
}

}  // namespace ergon::table
#else
namespace ergon::table {
Result<> inflate_zstd(std::string_view, const CountingSink&, const InputLimits&) {
  return fail(Errc::unsupported, "this build of ergon cannot expand zstd files");
}
}  // namespace ergon::table
#endif
