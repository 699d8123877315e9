#include "table/inflate/inflate.h"

namespace ergon::table {

using namespace std::string_view_literals;

std::optional<Compression> compression_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x1f\x8b"sv)) return Compression::gzip;
  if (first_bytes.starts_with("\xfd"
                              "7zXZ\0"sv)) {
    return Compression::xz;
  }
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::zstd;
  // A frame to be skipped, which parallel compressors put first: 0x184D2A50 to 0x184D2A5F, low byte first.
  const bool skippable = first_bytes.size() >= 4 && (first_bytes[0] & 0xF0) == 0x50;
  if (skippable && first_bytes.substr(1, 3) == "\x2a\x4d\x18"sv) return Compression::zstd;
  return std::nullopt;
}

Result<> inflate(Compression compression, std::string_view compressed, const TextSink& sink) {
  switch (compression) {
    case Compression::gzip:
      return inflate_gzip(compressed, sink);
    case Compression::xz:
      return inflate_xz(compressed, sink);
    case Compression::zstd:
      return inflate_zstd(compressed, sink);
  }
  return fail(Errc::unsupported, "unknown compression");
}

}  // namespace ergon::table
