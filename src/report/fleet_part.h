#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/input_limits.h"
#include "base/result.h"
#include "fleet/tally.h"

namespace ergon::report {

inline constexpr std::string_view kFleetPartSchema = "ergon.fleet.part/3";
// Name of the part in a folder of tables.
inline constexpr const char* kFleetPartFile = "part.json";

// A tally as JSON (a part), for merging with those of other hosts. Reading it back gives exactly the same
// tally.
nlohmann::ordered_json fleet_part_json(const fleet::Tally& tally);

// Those of the process, but a part may have 4 GiB: it grows with hosts and time, and 1,024 hosts give 1.1 GB
// in a week.
InputLimits fleet_part_limits();
Result<fleet::Tally> read_fleet_part(std::string_view text, const InputLimits& limits = fleet_part_limits());
// Reads a part from a file, or from kFleetPartFile in a folder.
Result<fleet::Tally> read_fleet_part_at(const std::filesystem::path& file_or_folder);

}  // namespace ergon::report
