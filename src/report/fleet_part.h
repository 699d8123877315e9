#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "fleet/tally.h"

namespace ergon::report {

inline constexpr std::string_view kFleetPartSchema = "ergon.fleet.part/2";

// What is known of some hosts, to be kept and merged with what is known of others; every number comes back as
// exactly itself.
nlohmann::ordered_json fleet_part_json(const fleet::Tally& tally);
Result<fleet::Tally> read_fleet_part(std::string_view text);

}  // namespace ergon::report
