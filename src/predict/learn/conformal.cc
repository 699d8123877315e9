#include "predict/learn/conformal.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ergon::predict {
namespace {

constexpr double kNominal = 0.9;
// Smaller groups also use the errors of all networks.
constexpr std::size_t kMinGroup = 8;

using Error = double (HeldOutNetwork::*)() const;

double width_of(std::span<const HeldOutNetwork> held_out, bool host_bound, Error error, bool with_power) {
  std::vector<double> group, all;
  for (const HeldOutNetwork& each : held_out) {
    if (with_power && !each.measured_power) continue;
    const double size = std::abs(std::log1p((each.*error)()));
    all.push_back(size);
    if (each.host_bound == host_bound) group.push_back(size);
  }
  if (group.size() >= kMinGroup) return conformal_width(group);
  // The wider of the two: accurate predictions of other networks say little about this group.
  return group.empty() ? conformal_width(all) : std::max(conformal_width(group), conformal_width(all));
}

IntervalWidths widths_for(std::span<const HeldOutNetwork> held_out, bool host_bound) {
  return {width_of(held_out, host_bound, &HeldOutNetwork::time_error, false),
          width_of(held_out, host_bound, &HeldOutNetwork::power_error, true),
          width_of(held_out, host_bound, &HeldOutNetwork::energy_error, true)};
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

std::map<LaunchHost, WidthPair> widths_of(std::span<const HeldOutNetwork> held_out) {
  std::map<LaunchHost, std::vector<HeldOutNetwork>> hosts;
  for (const HeldOutNetwork& each : held_out) hosts[each.config.host].push_back(each);
  std::map<LaunchHost, WidthPair> widths;
  for (const auto& [host, group] : hosts) widths[host] = {widths_for(group, false), widths_for(group, true)};
  return widths;
}

}  // namespace ergon::predict
