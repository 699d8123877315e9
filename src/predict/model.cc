#include "predict/model.h"

#include <algorithm>

namespace ergon::predict {

Widths widths_in(const std::map<Host, WidthPair>& widths, Host host, bool waits) {
  const auto nearest = std::max_element(widths.begin(), widths.end(), [&](const auto& a, const auto& b) {
    return likeness(host, a.first) < likeness(host, b.first);
  });
  return nearest == widths.end() ? Widths{} : nearest->second.of(waits);
}

// Networks that were held back share operations with others all the same; what of them was not known made
// them err. So up to a half nothing is taken off.
Widths mixed(const Widths& unknown, const Widths& known, double share) {
  const double beyond_half = std::max(0.0, 2 * share - 1);
  const auto between = [&](double a, double b) { return a * (1 - beyond_half) + b * beyond_half; };
  return {between(unknown.time, known.time), between(unknown.power, known.power),
          between(unknown.energy, known.energy)};
}

std::string_view name_of(Regime regime) {
  switch (regime) {
    case Regime::learned:
      return "learned";
    case Regime::calibrated:
      return "calibrated";
    case Regime::twin:
      return "twin";
  }
  return "";
}

bool Model::simulated() const {
  return std::any_of(sources.begin(), sources.end(), [](const Source& each) { return each.simulated; });
}

Trust Model::trust_in(graph::Mode mode) const {
  const auto found = trust.find(mode);
  return found == trust.end() ? Trust{} : found->second;
}

std::set<std::string> Model::kinds() const {
  std::set<std::string> kinds;
  for (const auto& each : range) kinds.insert(each.first.first);
  return kinds;
}

Widths Model::widths_of(Host host, bool waits, double known) const {
  const Widths strange = widths_in(widths, host, waits);
  if (known_widths.empty()) return strange;
  return mixed(strange, widths_in(known_widths, host, waits), known);
}

std::optional<Watts> HostCosts::idle_in(graph::Mode mode) const {
  const auto found = idle_.find(mode);
  return found == idle_.end() ? std::nullopt : std::optional(found->second);
}

Seconds HostCosts::of(const std::string& operation, graph::Mode mode) const {
  if (const auto found = costs_.find({operation, mode}); found != costs_.end()) return found->second;
  const auto usual = usual_.find(mode);
  return usual == usual_.end() ? Seconds{0} : usual->second;
}

}  // namespace ergon::predict
