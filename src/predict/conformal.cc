#include "predict/conformal.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ergon::predict {
namespace {

constexpr double kNominal = 0.9;
// Fewer of a sort are judged together with the others, too.
constexpr std::size_t kEnoughOfASort = 8;

using Error = double (HeldBack::*)() const;

double width_of(std::span<const HeldBack> held_back, bool waits, Error error, bool with_power) {
  std::vector<double> own, all;
  for (const HeldBack& each : held_back) {
    if (with_power && !each.measured_power) continue;
    const double size = std::abs(std::log1p((each.*error)()));
    all.push_back(size);
    if (each.waits == waits) own.push_back(size);
  }
  if (own.size() >= kEnoughOfASort) return conformal_width(own);
  // That many others are alike does not make these so.
  return own.empty() ? conformal_width(all) : std::max(conformal_width(own), conformal_width(all));
}

Widths widths_for(std::span<const HeldBack> held_back, bool waits) {
  return {width_of(held_back, waits, &HeldBack::time_error, false),
          width_of(held_back, waits, &HeldBack::power_error, true),
          width_of(held_back, waits, &HeldBack::energy_error, true)};
}

}  // namespace

double conformal_width(std::span<const double> errors) {
  if (errors.empty()) return 0.5;
  std::vector<double> sorted(errors.begin(), errors.end());
  for (double& error : sorted) error = std::abs(error);
  std::sort(sorted.begin(), sorted.end());
  const auto wanted = static_cast<std::size_t>(std::ceil(kNominal * static_cast<double>(sorted.size() + 1)));
  if (wanted <= sorted.size()) return sorted[wanted - 1];
  return sorted.back() * static_cast<double>(wanted) / static_cast<double>(sorted.size());
}

std::map<Host, WidthPair> widths_of(std::span<const HeldBack> held_back) {
  std::map<Host, std::vector<HeldBack>> hosts;
  for (const HeldBack& each : held_back) hosts[each.condition.host].push_back(each);
  std::map<Host, WidthPair> widths;
  for (const auto& [host, own] : hosts) widths[host] = {widths_for(own, false), widths_for(own, true)};
  return widths;
}

}  // namespace ergon::predict
