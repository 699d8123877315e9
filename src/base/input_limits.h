#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon {

// How much of a file, a pipe or a response is read before it is refused. A small input can otherwise exhaust
// memory or the stack: JSON that is nested deeply, a compressed file of zeros, a file with endless rows.
// Ergon's own documents, measured data and exported networks stay far below the defaults.
//
// The limits are those of the process: ERGON_INPUT_LIMITS="file=1GiB,depth=256" raises two of them. The name
// in that list is given for each.
struct InputLimits {
  // "file": a file or JSON text that is read as a whole (documents, models, data sets, topologies). CSV
  // tables and fleet logs are mapped and have no limit of size.
  std::uint64_t file_bytes = std::uint64_t{256} << 20;
  // "depth": levels of nested JSON arrays and objects; at most kMaxDepth, as values are copied by recursion.
  std::size_t depth = 128;
  // "expansion": bytes per byte of a compressed file, beyond the first kFreeExpansion. Telemetry has 5 to 50.
  std::uint64_t expansion = 500;
  // "expanded": bytes of a compressed file or of a pipe, which are held in memory.
  std::uint64_t expanded_bytes = std::uint64_t{16} << 30;
  // "window": memory with which a file was compressed; `xz -9` needs 64 MiB, `zstd --long` 128 MiB.
  std::uint64_t window_bytes = std::uint64_t{128} << 20;
  // "layers": layers of a topology file.
  std::uint64_t layers = 100'000;
  // "parts": nodes, attributes, tensors and names of an ONNX file; a part takes some 100 bytes of memory, and
  // as few as two of the file.
  std::uint64_t parts = 10'000'000;

  static constexpr std::size_t kMaxDepth = 1000;
  static constexpr std::uint64_t kFreeExpansion = std::uint64_t{16} << 20;

  friend bool operator==(const InputLimits&, const InputLimits&) = default;
};

// For files that are read as a whole whatever their size.
inline constexpr InputLimits kAnySize{.file_bytes = UINT64_MAX};

inline constexpr const char* kInputLimitsVariable = "ERGON_INPUT_LIMITS";

// Reads "file=1GiB,depth=256". Limits that the text omits keep their defaults. Errors: unknown names; values
// that are not sizes or whole numbers.
Result<InputLimits> parse_input_limits(std::string_view text);

// The limits that the environment asks for. Programs check this at start.
Result<InputLimits> environment_input_limits();

// The limits of this process, read once; the defaults if the environment is invalid. Safe from any thread.
const InputLimits& input_limits();

// The end of an error message: "set ERGON_INPUT_LIMITS=depth=N to raise the limit".
std::string how_to_raise(std::string_view limit, std::string_view value);

// Errors: a text of this size is larger than limits.file_bytes.
Result<> check_file_size(std::uint64_t bytes, const InputLimits& limits);

}  // namespace ergon
