#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/contract.h"
#include "fleet/summary/fleet_summary.h"
#include "fuzz/json_mutator.h"
#include "report/fleet_json.h"
#include "report/fleet_part.h"

using namespace ergon;

namespace {

using Json = nlohmann::ordered_json;
using EventKey = std::pair<std::string, std::string>;

EventKey key_of(const Json& entry) {
  return {entry.at(0).get<std::string>(), entry.at(1).get<std::string>()};
}

std::uint64_t count_of(const Json& number) {
  return number.is_number_unsigned() ? number.get<std::uint64_t>() : 0;
}

// Events of all hosts.
std::map<EventKey, std::uint64_t> events_of(const Json& part) {
  std::map<EventKey, std::uint64_t> events;
  for (const Json& host : part.at("hosts")) {
    for (const Json& cell : host.at(1).at("cells")) events[key_of(cell)] += count_of(cell.at(2).at(0));
  }
  return events;
}

}  // namespace

// Hosts and distributions must have the same numbers of events; mutations change one of the two.
void fuzz::repair_document(Json& part) {
  try {
    part["schema"] = report::kFleetPartSchema;
    const std::map<EventKey, std::uint64_t> events = events_of(part);
    const Json before = part.at("spreads");
    if (before.empty()) return;
    Json& spreads = part["spreads"] = Json::array();
    for (const auto& [key, count] : events) {
      Json spread = before.at(spreads.size() % before.size());
      for (const Json& each : before) {
        if (key_of(each) == key) spread = each;
      }
      spread.at(0) = key.first, spread.at(1) = key.second;
      Json& durations = spread.at(2).at("durations");
      std::uint64_t counted = 0;
      for (const Json& duration : durations) counted += count_of(duration.at(1));
      if (counted != count && !durations.empty()) {
        Json& last = durations.at(durations.size() - 1).at(1);
        last = count_of(last) + count - counted;
      }
      spreads.push_back(std::move(spread));
    }
  } catch (const Json::exception&) {  // beyond repair: the reader must reject it
  }
}

// A part that can be read can be written, read back as the same part, summarized, and merged with the part of
// other hosts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tally = report::read_fleet_part({reinterpret_cast<const char*>(data), size});
  if (!tally) return 0;
  auto json = report::fleet_part_json(*tally);
  json["schema"] = report::kFleetPartSchema;
  const auto again =
      report::read_fleet_part(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  ERGON_EXPECTS(static_cast<bool>(again));
  report::fleet_json(fleet::summarize(*tally), {}, {true, true});

  fleet::Tally others = *tally;
  others.hosts.clear();
  for (const auto& [name, host] : tally->hosts) others.hosts.emplace("other " + name, host);
  fleet::Tally whole = *tally;
  if (fleet::merge(whole, others)) report::fleet_json(fleet::summarize(whole), {}, {true, true});
  return 0;
}
