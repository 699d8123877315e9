#include "predict/learn/held_out.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "profile/run_condition.h"

namespace ergon::predict {
namespace {

Score score_of(std::string what, const std::vector<const HeldOutNetwork*>& rows,
               double (HeldOutNetwork::*error)() const, double IntervalWidths::*width) {
  Score score{std::move(what), static_cast<std::int64_t>(rows.size()), 0, {}, {}};
  std::size_t covered = 0;
  for (const HeldOutNetwork* row : rows) {
    const double off = (row->*error)();
    score.mape += std::abs(off) / static_cast<double>(rows.size());
    if (std::abs(std::log1p(off)) <= row->widths.*width) ++covered;
  }
  score.coverage = static_cast<double>(covered) / static_cast<double>(rows.size());
  return score;
}

}  // namespace

std::vector<Score> scores_of(const std::vector<HeldOutNetwork>& held_out, std::string_view which) {
  std::set<LaunchHost> hosts;
  std::map<std::pair<LaunchHost, graph::Mode>, std::vector<const HeldOutNetwork*>> groups;
  for (const HeldOutNetwork& each : held_out) {
    hosts.insert(each.config.host);
    groups[{each.config.host, each.config.mode}].push_back(&each);
  }
  std::vector<Score> scores;
  for (const auto& [group, rows] : groups) {
    const auto& [host, mode] = group;
    std::vector<const HeldOutNetwork*> powered;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(powered),
                 [](const HeldOutNetwork* each) { return each->measured_power.has_value(); });
    std::string name = fmt::format("{}, {}, ", which, profile::name_of(mode));
    if (hosts.size() > 1) name += fmt::format("{} host, ", name_of(host));
    scores.push_back(score_of(name + "time", rows, &HeldOutNetwork::time_error, &IntervalWidths::time));
    if (powered.empty()) continue;
    scores.push_back(score_of(name + "power", powered, &HeldOutNetwork::power_error, &IntervalWidths::power));
    scores.push_back(
        score_of(name + "energy", powered, &HeldOutNetwork::energy_error, &IntervalWidths::energy));
  }
  return scores;
}

}  // namespace ergon::predict
