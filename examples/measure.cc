// The energy of a piece of your own program, in three calls: start a meter, open a window, ask for its
// measurement. Build it with everything else (`make build`); without a GPU, run it on fake-nvml:
//
//   ERGON_NVML=build/release/fake-nvml/libnvidia-ml.so.1 build/release/bin/example_measure

#include <cstdlib>

#include <fmt/core.h>

#include "base/clock.h"
#include "device/nvml/find.h"
#include "meter/meter.h"

namespace {

using namespace ergon;

int give_up(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return EXIT_FAILURE;
}

void work(Clock& clock) { clock.sleep_until(clock.now() + Seconds{1}); }

}  // namespace

int main() {
  auto gpus = device::nvml::find_devices();
  if (!gpus) return give_up(gpus.error());
  std::vector<device::Device*> devices;
  for (const auto& gpu : gpus->devices) devices.push_back(gpu.get());

  SystemClock clock;
  auto meter = meter::Meter::start(devices, clock);
  if (!meter) return give_up(meter.error());

  meter::Window whole = (*meter)->open();
  meter::Window half = (*meter)->open();
  work(clock);
  half.close();  // takes a microsecond; the answer comes later
  work(clock);

  for (meter::Window* window : {&half, &whole}) {
    const auto measured = window->measurement();
    if (!measured) return give_up(measured.error());
    fmt::print("{:.1f} J +- {:.1f} J in {:.3f} s{}\n", measured->energy.si(), measured->uncertainty.si(),
               measured->duration.si(), measured->simulated ? ", simulated" : "");
    for (const meter::Reason& reason : measured->reasons) fmt::print("  not valid: {}\n", reason.text);
  }
  return EXIT_SUCCESS;
}
