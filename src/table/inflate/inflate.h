#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace ergon::table {

enum class Compression { gzip, xz, zstd };

// The compression that a file's first bytes announce; its name does not matter.
std::optional<Compression> compression_of(std::string_view first_bytes);

// Takes the next piece of the expanded text; an error stops the expansion and becomes its result.
using TextSink = std::function<Result<>(std::string_view)>;

// Expands all members of a compressed file. A truncated or damaged file is an error, never a shorter text.
Result<> inflate(Compression compression, std::string_view compressed, const TextSink& sink);

// The formats one by one; each says `unsupported` in a build without its library.
Result<> inflate_gzip(std::string_view compressed, const TextSink& sink);
Result<> inflate_xz(std::string_view compressed, const TextSink& sink);
Result<> inflate_zstd(std::string_view compressed, const TextSink& sink);

}  // namespace ergon::table
