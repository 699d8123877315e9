// A power cap held from inside a serving program: make a controller, and between two batches tell it what was
// read and do what it says. Here the network and its GPU are simulated; a program of your own puts its loop
// where `plant.run` stands.
//
//   build/release/bin/example_hold_cap

#include <cstdlib>

#include <fmt/core.h>

#include "control/choice.h"
#include "control/grid_surface.h"
#include "control/twin_plant.h"
#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"

int main() {
  using namespace ergon;
  const auto gpu = device::find_device("a30").value();
  const auto network = graph::zoo::build(**graph::zoo::find("resnet50"), {}).value();
  auto plant = control::TwinPlant::of(network, gpu, {}).value();

  const Watts cap{120};
  const auto believed = std::make_shared<control::GridSurface>(
      control::twin_surface(network, gpu, device::Precision::tf32, plant.knobs()).value());
  const control::ControllerChoice choice{.name = "joint", .believed = believed, .most = gpu.limit.most};
  const auto controller = control::make_controller(choice, plant).value();
  control::Action action = controller->first(cap);
  for (int decision = 0; decision < 10; ++decision) {
    auto reading =
        plant.run(action.point, controller->patience());  // your own batches, and what your sensor read
    if (!reading) return EXIT_FAILURE;
    reading->cap = cap;
    action = controller->step(*reading);
    fmt::print("{:5.1f} W at batch {}, {:.0f} MHz: {:.0f} samples/s; {}\n", reading->mean_power->si(),
               reading->point.batch, reading->point.clock->si() / 1e6, reading->throughput(), action.reason);
  }
}
