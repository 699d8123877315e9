#include "cap/reach.h"

#include <fmt/format.h>

#include "base/units_text.h"
#include "control/batchsizer.h"

namespace ergon::app {

control::Knobs reach_of(const std::string& controller, const control::Knobs& knobs) {
  if (controller == "joint") return knobs;
  if (controller == "dvfs") {
    return {{control::Dvfs::batch_of(knobs.batches)}, knobs.clocks};
  }
  control::Knobs reach = knobs;
  if (controller == "batchsizer") reach.batches = control::powers_of_two(knobs.batches);
  if (!knobs.clocks.empty()) reach.clocks = {knobs.clocks.back()};
  return reach;
}

std::optional<std::string> why_not_held(const Holding& holding, const control::Surface& truth, Watts cap) {
  const control::Knobs reach = reach_of(holding.controller, holding.knobs);
  const auto bounded = control::oracle(truth, reach, cap, holding.latency);
  if (bounded.met) return std::nullopt;
  const auto unbounded = control::oracle(truth, reach, cap);
  if (unbounded.met) {
    return fmt::format("nothing that stays within {} is done in {}", to_text(cap), to_text(*holding.latency));
  }
  std::string why =
      fmt::format("{} cannot hold {}: the least it can choose is {:.1f} W, {}", holding.controller,
                  to_text(cap), unbounded.best.there.power.si(), control::text_of(unbounded.best.point));
  if (control::oracle(truth, holding.knobs, cap).met) why += "; joint can";
  return why;
}

}  // namespace ergon::app
