#include "cap/reach.h"

#include <fmt/format.h>

#include "base/units_text.h"
#include "control/controllers/batchsizer.h"

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

std::optional<std::string> why_not_held(const CapQuestion& question, const control::Surface& truth,
                                        Watts cap) {
  const control::Knobs reach = reach_of(question.controller, question.knobs);
  const auto bounded = control::oracle(truth, reach, cap, question.latency);
  if (bounded.within_cap) return std::nullopt;
  const auto unbounded = control::oracle(truth, reach, cap);
  if (unbounded.within_cap) {
    return fmt::format("no point within {} meets a latency of {}", to_text(cap), to_text(*question.latency));
  }
  std::string why =
      fmt::format("{} cannot hold {}: its lowest power is {:.1f} W, {}", question.controller, to_text(cap),
                  unbounded.best.there.power.si(), control::text_of(unbounded.best.point));
  if (control::oracle(truth, question.knobs, cap).within_cap) why += "; joint can";
  return why;
}

}  // namespace ergon::app
