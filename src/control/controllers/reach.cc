#include "control/controllers/reach.h"

#include <fmt/format.h>

#include "base/si_prefixes.h"
#include "base/units_text.h"
#include "control/controllers/batchsizer.h"

namespace ergon::control {

Knobs reach_of(ControllerKind controller, const Knobs& knobs) {
  const auto highest = [&] { return knobs.clocks.empty() ? knobs.clocks : std::vector{knobs.clocks.back()}; };
  switch (controller) {
    case ControllerKind::batchsizer:
      return {powers_of_two(knobs.batches), highest()};
    case ControllerKind::batchsizer_plus:
      return {knobs.batches, highest()};
    case ControllerKind::dvfs:
      return {{Dvfs::batch_of(knobs.batches)}, knobs.clocks};
    case ControllerKind::joint:
      break;
  }
  return knobs;
}

std::string text_of(const Knobs& knobs) {
  const auto& [batches, clocks] = knobs;
  std::string text = batches.size() == 1 ? fmt::format("batch {}", batches.front())
                                         : fmt::format("{} batches from {} to {}", batches.size(),
                                                       batches.front(), batches.back());
  if (clocks.empty()) return text + ", default clock";
  if (clocks.size() == 1) return text + fmt::format(" at {:.0f} MHz", clocks.front().si() / kMega);
  return text + fmt::format(", {} clocks from {:.0f} to {:.0f} MHz", clocks.size(),
                            clocks.front().si() / kMega, clocks.back().si() / kMega);
}

std::optional<std::string> why_not_held(const CapQuestion& question, const Surface& truth, Watts cap) {
  const Knobs reach = reach_of(question.controller, question.knobs);
  const auto bounded = oracle(truth, reach, cap, question.latency);
  if (bounded.within_cap) return std::nullopt;
  const auto unbounded = oracle(truth, reach, cap);
  if (unbounded.within_cap) {
    return fmt::format("no point within {} meets a latency of {}", to_text(cap), to_text(*question.latency));
  }
  std::string why =
      fmt::format("{} cannot hold {}: its lowest power is {:.1f} W, {}", name_of(question.controller),
                  to_text(cap), unbounded.best.there.power.si(), text_of(unbounded.best.point));
  if (oracle(truth, question.knobs, cap).within_cap) why += "; joint can";
  return why;
}

}  // namespace ergon::control
