#include "table/inflate/inflate.h"

#include <cstdint>

#include "base/units_text.h"

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

namespace {

Result<> check_expansion(std::uint64_t bytes_read, std::uint64_t expanded, const InputLimits& limits) {
  if (expanded > limits.expanded_bytes)
    return fail(Errc::invalid_input, "expands to more than {}; {}",
                to_text(Bytes{static_cast<double>(limits.expanded_bytes)}), how_to_raise("expanded", "SIZE"));
  // Divided, because the product may overflow.
  if (expanded > InputLimits::kFreeExpansion && expanded / limits.expansion >= bytes_read)
    return fail(Errc::invalid_input, "expands to more than {} times its size; {}", limits.expansion,
                how_to_raise("expansion", "N"));
  return {};
}

}  // namespace

Result<> inflate(Compression compression, std::string_view compressed, const TextSink& sink,
                 const InputLimits& limits) {
  std::uint64_t expanded = 0;
  const CountingSink counted = [&](std::string_view more, std::size_t bytes_read) -> Result<> {
    expanded += more.size();
    if (auto fits = check_expansion(bytes_read, expanded, limits); !fits) return fits;
    return sink(more);
  };
  switch (compression) {
    case Compression::gzip:
      return inflate_gzip(compressed, counted);
    case Compression::xz:
      return inflate_xz(compressed, counted, limits);
    case Compression::zstd:
      return inflate_zstd(compressed, counted, limits);
  }
  return fail(Errc::unsupported, "unknown compression");
}

Error window_too_large(const InputLimits& limits) {
  return fail(Errc::invalid_input, "needs more than {} of memory to expand; {}",
              to_text(Bytes{static_cast<double>(limits.window_bytes)}), how_to_raise("window", "SIZE"));
}

}  // namespace ergon::table
