#include "table/inflate/inflate.h"

#if ERGON_HAS_LZMA
#include <cstdint>
#include <memory>
#include <vector>

#include <lzma.h>

namespace ergon::table {

namespace {

constexpr std::uint64_t kDecoderBytes = std::uint64_t{1} << 20;  // of the decoder itself, besides its window

}  // namespace

Result<> inflate_xz(std::string_view compressed, const CountingSink& sink, const InputLimits& limits) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, limits.window_bytes + kDecoderBytes, LZMA_CONCATENATED) != LZMA_OK) {
    return fail(Errc::io, "no memory to expand xz data");
  }
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> end(&stream, lzma_end);

  std::vector<std::uint8_t> out(std::size_t{1} << 20);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(compressed.data());
  stream.avail_in = compressed.size();
  for (;;) {
    stream.next_out = out.data();
    stream.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    const std::size_t got = out.size() - stream.avail_out;
    if (got > 0) {
      if (auto taken =
              sink({reinterpret_cast<const char*>(out.data()), got}, compressed.size() - stream.avail_in);
          !taken)
        return taken;
    }
    if (status == LZMA_STREAM_END) return {};
    if (status == LZMA_BUF_ERROR) {
      return fail(Errc::invalid_input, "the xz data ends in the middle (truncated?)");
    }
    if (status == LZMA_MEMLIMIT_ERROR) return window_too_large(limits);
    if (status == LZMA_MEM_ERROR) return fail(Errc::io, "no memory to expand xz data");
    if (status != LZMA_OK) {
      return fail(Errc::invalid_input, "damaged xz data near byte {}", compressed.size() - stream.avail_in);
    }
  }
}

}  // namespace ergon::table
#else
namespace ergon::table {
Result<> inflate_xz(std::string_view, const CountingSink&, const InputLimits&) {
  return fail(Errc::unsupported, "this build of ergon cannot expand xz files");
}
}  // namespace ergon::table
#endif
