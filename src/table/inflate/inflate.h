#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/input_limits.h"
#include "base/result.h"

namespace ergon::table {

enum class Compression { gzip, xz, zstd };

// The compression format, from the first bytes of a file; the file name does not matter.
std::optional<Compression> compression_of(std::string_view first_bytes);

// Receives the next piece of the decompressed text; an error stops the decompression and is returned.
using TextSink = std::function<Result<>(std::string_view)>;

// Decompresses all members of a file. A truncated or damaged file is an error, never a shorter text. Errors
// (invalid_input): the text is longer than limits.expanded_bytes, or longer than InputLimits::kFreeExpansion
// and more than limits.expansion times as long as the bytes of the file that were read for it. All members
// count together.
Result<> inflate(Compression compression, std::string_view compressed, const TextSink& sink,
                 const InputLimits& limits = input_limits());

// The error of a file whose decoder needs more memory than limits.window_bytes.
Error window_too_large(const InputLimits& limits);

// The same with the number of bytes of the file that have been read so far.
using CountingSink = std::function<Result<>(std::string_view text, std::size_t bytes_read)>;

// One function per format; each fails with `unsupported` in a build without its library. The length of the
// text is not limited.
Result<> inflate_gzip(std::string_view compressed, const CountingSink& sink);
Result<> inflate_xz(std::string_view compressed, const CountingSink& sink, const InputLimits& limits);
Result<> inflate_zstd(std::string_view compressed, const CountingSink& sink, const InputLimits& limits);

}  // namespace ergon::table
