#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "fleet/tally.h"

namespace ergon::report {

inline constexpr std::string_view kFleetPartSchema = "ergon.fleet.part/2";

// A tally as JSON (a part), for merging with those of other hosts. Reading it back gives exactly the same
// tally.
nlohmann::ordered_json fleet_part_json(const fleet::Tally& tally);
Result<fleet::Tally> read_fleet_part(std::string_view text);

}  // namespace ergon::report
