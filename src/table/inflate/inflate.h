#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace ergon::table {

enum class Compression { gzip, xz, zstd };

// The compression format, from the first bytes of a file; the file name does not matter.
std::optional<Compression> compression_of(std::string_view first_bytes);

// Receives the next piece of the decompressed text; an error stops the decompression and is returned.
using TextSink = std::function<Result<>(std::string_view)>;

// Decompresses all members of a file. A truncated or damaged file is an error, never a shorter text.
Result<> inflate(Compression compression, std::string_view compressed, const TextSink& sink);

// One function per format; each fails with `unsupported` in a build without its library.
Result<> inflate_gzip(std::string_view compressed, const TextSink& sink);
Result<> inflate_xz(std::string_view compressed, const TextSink& sink);
Result<> inflate_zstd(std::string_view compressed, const TextSink& sink);

}  // namespace ergon::table
