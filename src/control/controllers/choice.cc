#include "control/controllers/choice.h"

#include <fmt/ranges.h>

#include "base/text.h"
#include "control/controllers/batchsizer.h"
#include "control/controllers/batchsizer_plus.h"
#include "control/controllers/guarded.h"
#include "control/controllers/joint.h"
#include "control/surfaces/generic_surface.h"

namespace ergon::control {

std::string_view name_of(ControllerKind controller) {
  switch (controller) {
    case ControllerKind::batchsizer:
      return "batchsizer";
    case ControllerKind::batchsizer_plus:
      return "batchsizer+";
    case ControllerKind::dvfs:
      return "dvfs";
    case ControllerKind::joint:
      return "joint";
  }
  return "";
}

std::vector<std::string> controller_names() {
  std::vector<std::string> names;
  for (const ControllerKind each : kControllers) names.emplace_back(name_of(each));
  return names;
}

Result<ControllerKind> controller_named(std::string_view text) {
  for (const ControllerKind each : kControllers) {
    if (name_of(each) == lower(text)) return each;
  }
  const auto names = controller_names();
  return fail(Errc::unknown_name, "unknown controller \"{}\"{}; expected one of {}", printable(text),
              suggestion(text, names), fmt::format("{}", fmt::join(names, ", ")));
}

Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant) {
  const auto& [batches, clocks] = plant.knobs();
  if (batches.empty()) return fail(Errc::invalid_input, "the plant has no batch sizes");
  if (choice.latency && !takes_latency(choice.kind))
    return fail(Errc::invalid_input, "a latency bound applies only to joint, not to {}",
                name_of(choice.kind));
  const std::optional<Hertz> highest = clocks.empty() ? std::nullopt : std::optional(clocks.back());
  std::unique_ptr<Controller> made;
  if (choice.kind == ControllerKind::batchsizer) {
    made = std::make_unique<BatchSizer>(powers_of_two(batches), highest);
  } else if (choice.kind == ControllerKind::batchsizer_plus) {
    made = std::make_unique<BatchSizerPlus>(batches, highest);
  } else if (choice.kind == ControllerKind::dvfs) {
    if (clocks.empty()) return fail(Errc::invalid_input, "dvfs sets the clock, but this plant has no clocks");
    made = std::make_unique<Dvfs>(Dvfs::batch_of(batches), clocks);
  } else if (clocks.empty() && !choice.prior && !choice.latency) {
    // With the batch alone and no prior, a search performs better than a model.
    made = std::make_unique<BatchSizerPlus>(batches, highest, "joint");
  } else {
    const Watts idle = plant.idle_power();
    const auto prior = choice.prior ? choice.prior : generic_surface(idle, choice.max_power, plant.knobs());
    const auto source = choice.prior ? Joint::PriorSource::twin : Joint::PriorSource::generic;
    made = std::make_unique<Joint>(Joint::Settings{plant.knobs(), idle, choice.latency, source}, *prior);
  }
  return std::unique_ptr<Controller>(
      std::make_unique<Guarded>(std::move(made), safest_point(plant.knobs()),
                                Guarded::PowerRange{plant.idle_power(), choice.max_power}));
}

}  // namespace ergon::control
