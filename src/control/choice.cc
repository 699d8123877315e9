#include "control/choice.h"

#include "base/text.h"
#include "control/batchsizer.h"
#include "control/batchsizer_plus.h"
#include "control/guarded.h"
#include "control/joint.h"
#include "control/vague_surface.h"

namespace ergon::control {
std::vector<std::string> controller_names() { return {"batchsizer", "batchsizer+", "dvfs", "joint"}; }

Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant) {
  const auto& [batches, clocks] = plant.knobs();
  if (batches.empty()) return fail(Errc::invalid_input, "there is no batch to choose from");
  const std::optional<Hertz> highest = clocks.empty() ? std::nullopt : std::optional(clocks.back());
  std::unique_ptr<Controller> made;
  if (choice.name == "batchsizer") {
    made = std::make_unique<BatchSizer>(powers_of_two(batches), highest);
  } else if (choice.name == "batchsizer+") {
    made = std::make_unique<BatchSizerPlus>(batches, highest);
  } else if (choice.name == "dvfs") {
    if (clocks.empty()) return fail(Errc::invalid_input, "dvfs sets clocks, and none may be set here");
    made = std::make_unique<Dvfs>(Dvfs::batch_of(batches), clocks);
  } else if (choice.name == "joint" && clocks.empty() && !choice.believed && !choice.latency) {
    // With one knob and nothing to begin with, a search is better than a model.
    made = std::make_unique<BatchSizerPlus>(batches, highest, "joint");
  } else if (choice.name == "joint") {
    const Watts idle = plant.idle_power();
    const auto believed = choice.believed ? choice.believed : vague_surface(idle, choice.most, plant.knobs());
    const auto trust = choice.believed ? Joint::Trust::twin : Joint::Trust::guess;
    made = std::make_unique<Joint>(Joint::Settings{plant.knobs(), idle, choice.latency, trust}, *believed);
  } else {
    return fail(Errc::not_found, "no controller \"{}\"{}", printable(choice.name),
                suggestion(choice.name, controller_names()));
  }
  return std::unique_ptr<Controller>(std::make_unique<Guarded>(
      std::move(made), safest_point(plant.knobs()), Guarded::Range{plant.idle_power(), choice.most}));
}

}  // namespace ergon::control
