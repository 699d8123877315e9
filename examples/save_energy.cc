// Chooses the clock that needs the least energy for a network within a latency, and locks it on a GPU of this
// machine while the work runs. Without --allow-control it only prints the choice.
//
//   build/release/bin/example_save_energy h200
//   build/release/bin/example_save_energy h200 --allow-control gpu0

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ergon/device.h>
#include <ergon/tune.h>
#include <string>

namespace {

using namespace ergon::literals;

int give_up(const ergon::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return EXIT_FAILURE;
}

int run_at(ergon::Hertz clock, const std::string& gpu) {
  const auto devices = ergon::select_devices({gpu});
  if (!devices) return give_up(devices.error());
  auto lease = ergon::Lease::acquire(devices->front(), ergon::ControlAllowed::by_user());
  if (!lease) return give_up(lease.error());
  if (const auto locked = lease->lock_core_clock(clock); !locked) return give_up(locked.error());
  std::printf("%s: locked to %.0f MHz\n", gpu.c_str(), clock.si() / 1e6);
  // Run the network here. The clock is restored when the lease ends; after a crash, when Ergon starts again.
  const ergon::RestoreResult restored = lease->release();
  for (const std::string& failure : restored.failures) std::fprintf(stderr, "%s\n", failure.c_str());
  return restored.complete ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string device = count > 1 ? arguments[1] : "h200";
  const bool allowed = count > 3 && std::strcmp(arguments[2], "--allow-control") == 0;

  const auto network = ergon::Network::load("resnet50");
  if (!network) return give_up(network.error());
  const auto predictor = ergon::Predictor::of_device(device);
  if (!predictor) return give_up(predictor.error());
  ergon::TuneRequest request;
  request.max_latency = 20_ms;
  const auto tuned = ergon::tune_network(*network, {*predictor}, request);
  if (!tuned) return give_up(tuned.error());
  const ergon::OperatingPoint& choice = tuned->choice;
  std::printf("batch %lld at %.0f MHz: %.1f mJ per sample, %.1f %% less than with default settings\n",
              static_cast<long long>(choice.batch), choice.prediction.clock.si() / 1e6,
              choice.energy_per_sample().si() * 1e3, 100 * tuned->energy_saving);
  return allowed && choice.clock ? run_at(*choice.clock, arguments[3]) : EXIT_SUCCESS;
}
