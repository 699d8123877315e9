#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "systolic/array/array.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/semantics.h"

namespace ergon::systolic::scalesim {

// A SCALE-Sim configuration file. Sizes are in words: SCALE-Sim's words are bytes.
struct Config {
  std::string run_name;
  Machine machine;
  bool user_bandwidth = false;            // USER: as given; CALC: calculated
  std::optional<std::int64_t> bandwidth;  // [architecture_presets] Bandwidth
  std::optional<std::int64_t> ifmap_bank_bandwidth, filter_bank_bandwidth;  // [layout]
  std::vector<std::string> warnings;  // for example, keys without effect

  // Words per cycle of each operand. v3 uses the bandwidth of [layout], or 10 without that section; the
  // others use Bandwidth only.
  PortWords ports(Semantics semantics) const;
};

// Reads the text of a .cfg file: sections, "key = value" or "key : value", keys in any case, comments behind
// '#' or ';'. Errors name the source, the line and the key.
Result<Config> parse_config(std::string_view text, std::string_view source);

}  // namespace ergon::systolic::scalesim
