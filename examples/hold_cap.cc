// Holds a power cap inside a serving program: make a controller, pass it the measurements after each decision
// interval, and apply its action. Here the network and its GPU are simulated; replace `plant.run` with your
// own serving loop.
//
//   build/release/bin/example_hold_cap

#include <cstdlib>

#include <fmt/core.h>

#include "control/controllers/choice.h"
#include "control/plants/twin_plant.h"
#include "control/surfaces/grid_surface.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"

int main() {
  using namespace ergon;
  const auto gpu = device::find_device("a30").value();
  const auto network = graph::zoo::build(**graph::zoo::find("resnet50"), {}).value();
  auto plant = control::TwinPlant::of(network, gpu, {}).value();

  const Watts cap{120};
  const auto prior = std::make_shared<control::GridSurface>(
      control::twin_surface(network, gpu, device::Precision::tf32, plant.knobs()).value());
  const control::ControllerChoice choice{.name = "joint", .prior = prior, .max_power = gpu.limit.max};
  const auto controller = control::make_controller(choice, plant).value();
  control::Action action = controller->first(cap);
  for (int decision = 0; decision < 10; ++decision) {
    auto feedback = plant.run(action.point, controller->decision_interval());  // run batches and measure
    if (!feedback) return EXIT_FAILURE;
    feedback->cap = cap;
    action = controller->step(*feedback);
    fmt::print("{:5.1f} W at batch {}, {:.0f} MHz: {:.0f} samples/s; {}\n", feedback->mean_power->si(),
               feedback->point.batch, feedback->point.clock->si() / 1e6, feedback->throughput(),
               action.reason);
  }
}
