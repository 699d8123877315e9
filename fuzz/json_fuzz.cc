// JSON from outside. Any text gives an error or a value that is not too deep: it can be copied and written,
// and reads back as itself. Both kinds of values accept the same texts.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = parse_json<nlohmann::json>(text, "fuzz");
  const auto ordered = parse_json<nlohmann::ordered_json>(text, "fuzz");
  if (bool(json) != bool(ordered)) std::abort();
  if (!json) return json.error().message.empty() ? (std::abort(), 0) : 0;
  const auto copy = *ordered;
  const std::string written = copy.dump();
  const auto again = parse_json<nlohmann::ordered_json>(written);
  if (!again || again->dump() != written) std::abort();
  return 0;
}
