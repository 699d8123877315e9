// Holds a power cap inside a serving program: make a controller, pass it the measurements after each decision
// interval, and apply its action. Here the network and its GPU are simulated; replace `plant->run` with your
// own serving loop.
//
//   build/release/bin/example_hold_cap

#include <cstdio>
#include <cstdlib>
#include <ergon/cap.h>

int main() {
  using namespace ergon::literals;
  const auto network = ergon::Network::load("resnet50").value();
  const auto plant = ergon::twin_plant(network, "a30").value();
  const ergon::OperatingPoints points = plant->operating_points();

  const ergon::Watts cap = 120_W;
  ergon::ControllerOptions options;
  options.prior = ergon::twin_prior(network, "a30", points).value();
  options.max_power = 165_W;
  auto controller = ergon::CapController::make(points, plant->idle_power(), options).value();
  ergon::CapAction action = controller.first(cap);
  for (int decision = 0; decision < 10; ++decision) {
    auto feedback = plant->run(action.point, controller.decision_interval());  // run batches and measure
    if (!feedback) return EXIT_FAILURE;
    feedback->cap = cap;
    action = controller.step(*feedback);
    std::printf("%5.1f W at batch %lld, %.0f MHz: %.0f samples/s; %s\n",
                feedback->mean_power.value_or(0_W).si(), static_cast<long long>(feedback->point.batch),
                feedback->point.clock->si() / 1e6, feedback->samples / feedback->duration.si(),
                action.reason.c_str());
  }
}
