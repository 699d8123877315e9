#include "table/inflate/inflate.h"

#if ERGON_HAS_ZLIB
#include <algorithm>
#include <memory>
#include <vector>

#include <climits>
#include <zlib.h>

namespace ergon::table {

Result<> inflate_gzip(std::string_view compressed, const CountingSink& sink) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return fail(Errc::io, "no memory to expand gzip data");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);

  std::vector<unsigned char> out(std::size_t{1} << 20);
  // zlib's interface is not const-correct; it does not write to its input.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(compressed.data()));
  const char* const file_end = compressed.data() + compressed.size();
  const auto position = [&] {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(stream.next_in) - compressed.data());
  };
  for (;;) {
    const auto left = static_cast<std::size_t>(file_end - reinterpret_cast<const char*>(stream.next_in));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(left, UINT_MAX / 2));
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = out.size() - stream.avail_out;
    if (got > 0) {
      if (auto taken = sink({reinterpret_cast<const char*>(out.data()), got}, position()); !taken)
        return taken;
    }
    if (status == Z_STREAM_END) {
      // Another member may follow, or the zeros that tape blocks are padded with.
      std::string_view rest(
          reinterpret_cast<const char*>(stream.next_in),
          static_cast<std::size_t>(file_end - reinterpret_cast<const char*>(stream.next_in)));
      if (rest.find_first_not_of('\0') == std::string_view::npos) return {};
      inflateReset(&stream);
      continue;
    }
    if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_in == 0 && got < out.size())) {
      return fail(Errc::invalid_input, "the gzip data ends in the middle (truncated?)");
    }
    if (status != Z_OK) {
      return fail(Errc::invalid_input, "damaged gzip data near byte {} ({})", position(),
                  stream.msg != nullptr ? stream.msg : "no further reason");
    }
  }
}

}  // namespace ergon::table
#else
namespace ergon::table {
Result<> inflate_gzip(std::string_view, const CountingSink&) {
  return fail(Errc::unsupported, "this build of ergon cannot expand gzip files");
}
}  // namespace ergon::table
#endif
