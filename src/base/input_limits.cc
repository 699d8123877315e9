#include "base/input_limits.h"

#include <array>
#include <cstdlib>
#include <vector>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon {
namespace {

constexpr double kMostBytes = 9e15;  // exact as a double
constexpr std::int64_t kMostCount = 1'000'000'000;

Result<std::uint64_t> size_of(std::string_view name, std::string_view text) {
  const auto bytes = parse_quantity<Bytes>(text, name);
  if (!bytes) return bytes.error();
  if (bytes->si() < 1 || bytes->si() > kMostBytes)
    return fail(Errc::invalid_input, "{}: {} is not a size from 1 B to 9 PB", name, printable(text));
  return static_cast<std::uint64_t>(bytes->si());
}

Result<std::uint64_t> count_of(std::string_view name, std::string_view text, std::int64_t most) {
  const auto count = parse_int64(text);
  if (count && *count >= 1 && *count <= most) return static_cast<std::uint64_t>(*count);
  return fail(Errc::invalid_input, "{}: \"{}\" is not a whole number from 1 to {}", name, printable(text),
              most);
}

Result<> store(const Result<std::uint64_t>& value, std::uint64_t& limit) {
  if (!value) return value.error();
  limit = *value;
  return {};
}

Result<> set(InputLimits& limits, std::string_view name, std::string_view text) {
  if (name == "file") return store(size_of(name, text), limits.file_bytes);
  if (name == "depth") return store(count_of(name, text, InputLimits::kMaxDepth), limits.depth);
  if (name == "expansion") return store(count_of(name, text, kMostCount), limits.expansion);
  if (name == "expanded") return store(size_of(name, text), limits.expanded_bytes);
  if (name == "window") return store(size_of(name, text), limits.window_bytes);
  if (name == "layers") return store(count_of(name, text, kMostCount), limits.layers);
  if (name == "parts") return store(count_of(name, text, kMostCount), limits.parts);
  static const std::vector<std::string> names{"file",   "depth",  "expansion", "expanded",
                                              "window", "layers", "parts"};
  return fail(Errc::unknown_name,
              "unknown limit \"{}\"{}; expected file, depth, expansion, expanded, window, "
              "layers or parts",
              printable(name), suggestion(name, names));
}

}  // namespace

Result<InputLimits> parse_input_limits(std::string_view text) {
  InputLimits limits;
  for (const std::string_view entry : split(text, ',')) {
    if (trim(entry).empty()) continue;
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos)
      return fail(Errc::invalid_input, "\"{}\" is not NAME=VALUE (example: file=1GiB)", printable(entry));
    if (auto done = set(limits, trim(entry.substr(0, equals)), trim(entry.substr(equals + 1))); !done)
      return done.error();
  }
  return limits;
}

Result<InputLimits> environment_input_limits() {
  const char* const text = std::getenv(kInputLimitsVariable);
  auto limits = parse_input_limits(text == nullptr ? "" : text);
  if (!limits) return limits.error().in(kInputLimitsVariable);
  return limits;
}

const InputLimits& input_limits() {
  static const InputLimits limits = environment_input_limits().value_or(InputLimits());
  return limits;
}

std::string how_to_raise(std::string_view limit, std::string_view value) {
  return fmt::format("set {}={}={} to raise the limit", kInputLimitsVariable, limit, value);
}

Result<> check_file_size(std::uint64_t bytes, const InputLimits& limits) {
  if (bytes <= limits.file_bytes) return {};
  return fail(Errc::invalid_input, "larger than {}; {}",
              to_text(Bytes{static_cast<double>(limits.file_bytes)}), how_to_raise("file", "SIZE"));
}

}  // namespace ergon
