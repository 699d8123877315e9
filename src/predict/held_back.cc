#include "predict/held_back.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "profile/condition.h"

namespace ergon::predict {
namespace {

Score score_of(std::string what, const std::vector<const HeldBack*>& rows, double (HeldBack::*error)() const,
               double Widths::*width) {
  Score score{std::move(what), static_cast<std::int64_t>(rows.size()), 0, {}, {}};
  std::size_t covered = 0;
  for (const HeldBack* row : rows) {
    const double off = (row->*error)();
    score.mape += std::abs(off) / static_cast<double>(rows.size());
    if (std::abs(std::log1p(off)) <= row->widths.*width) ++covered;
  }
  score.coverage = static_cast<double>(covered) / static_cast<double>(rows.size());
  return score;
}

}  // namespace

std::vector<Score> scores_of(const std::vector<HeldBack>& held_back, std::string_view which) {
  std::set<Host> hosts;
  std::map<std::pair<Host, graph::Mode>, std::vector<const HeldBack*>> sorts;
  for (const HeldBack& each : held_back) {
    hosts.insert(each.condition.host);
    sorts[{each.condition.host, each.condition.mode}].push_back(&each);
  }
  std::vector<Score> scores;
  for (const auto& [sort, rows] : sorts) {
    const auto& [host, mode] = sort;
    std::vector<const HeldBack*> powered;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(powered),
                 [](const HeldBack* each) { return each->measured_power.has_value(); });
    std::string name = fmt::format("{}, {}, ", which, profile::name_of(mode));
    if (hosts.size() > 1) name += fmt::format("{} host, ", name_of(host));
    scores.push_back(score_of(name + "time", rows, &HeldBack::time_error, &Widths::time));
    if (powered.empty()) continue;
    scores.push_back(score_of(name + "power", powered, &HeldBack::power_error, &Widths::power));
    scores.push_back(score_of(name + "energy", powered, &HeldBack::energy_error, &Widths::energy));
  }
  return scores;
}

}  // namespace ergon::predict
