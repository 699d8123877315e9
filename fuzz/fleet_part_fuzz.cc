#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "fleet/summary/fleet_summary.h"
#include "report/fleet_json.h"
#include "report/fleet_part.h"

using namespace ergon;

// A part that can be read can be written, read back as the same part, and summarized.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tally = report::read_fleet_part({reinterpret_cast<const char*>(data), size});
  if (!tally) return 0;
  auto json = report::fleet_part_json(*tally);
  json["schema"] = report::kFleetPartSchema;
  const auto again =
      report::read_fleet_part(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  ERGON_EXPECTS(static_cast<bool>(again));
  report::fleet_json(fleet::summarize(*tally), {}, {true, true});
  return 0;
}
