#include "control/controllers/choice.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/text.h"
#include "control/controllers/batchsizer.h"
#include "control/controllers/batchsizer_plus.h"
#include "control/controllers/guarded.h"
#include "control/controllers/joint.h"
#include "control/surfaces/generic_surface.h"

namespace ergon::control {
std::vector<std::string> controller_names() { return {"batchsizer", "batchsizer+", "dvfs", "joint"}; }

Result<std::string> controller_named(std::string_view text) {
  const auto names = controller_names();
  const auto found = std::find(names.begin(), names.end(), lower(text));
  if (found != names.end()) return *found;
  return fail(Errc::unknown_name, "unknown controller \"{}\"{}; expected one of {}", printable(text),
              suggestion(text, names), fmt::format("{}", fmt::join(names, ", ")));
}

Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant) {
  const auto& [batches, clocks] = plant.knobs();
  const auto named = controller_named(choice.name);
  if (!named) return named.error();
  const std::string& name = *named;
  if (batches.empty()) return fail(Errc::invalid_input, "the plant has no batch sizes");
  const std::optional<Hertz> highest = clocks.empty() ? std::nullopt : std::optional(clocks.back());
  std::unique_ptr<Controller> made;
  if (name == "batchsizer") {
    made = std::make_unique<BatchSizer>(powers_of_two(batches), highest);
  } else if (name == "batchsizer+") {
    made = std::make_unique<BatchSizerPlus>(batches, highest);
  } else if (name == "dvfs") {
    if (clocks.empty()) return fail(Errc::invalid_input, "dvfs sets the clock, but this plant has no clocks");
    made = std::make_unique<Dvfs>(Dvfs::batch_of(batches), clocks);
  } else if (name == "joint" && clocks.empty() && !choice.prior && !choice.latency) {
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
