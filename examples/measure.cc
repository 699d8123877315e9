// The energy of a piece of your own program: start a meter, begin a window, end it, ask for its measurement.
// Without a GPU, run it on fake-nvml:
//
//   ERGON_NVML=build/release/fake-nvml/libnvidia-ml.so.1 build/release/bin/example_measure

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ergon/measure.h>
#include <thread>

namespace {

void work() { std::this_thread::sleep_for(std::chrono::seconds(1)); }

int give_up(const ergon::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return EXIT_FAILURE;
}

}  // namespace

int main() {
  const auto devices = ergon::select_devices();  // all GPUs, or the processors
  if (!devices) return give_up(devices.error());
  auto meter = ergon::Meter::start(*devices);
  if (!meter) return give_up(meter.error());

  ergon::Window whole = meter->begin();
  ergon::Window half = meter->begin();
  work();
  half.end();  // takes microseconds; the measurement comes later
  work();
  whole.end();

  for (ergon::Window* window : {&half, &whole}) {
    const auto measured = window->measurement();
    if (!measured) return give_up(measured.error());
    const ergon::Estimate<ergon::Joules>& energy = measured->energy;
    std::printf("%.1f J (95 %% interval: %.1f to %.1f J) in %.3f s%s\n", energy.value.si(), energy.low.si(),
                energy.high.si(), measured->duration.si(), measured->simulated ? ", simulated" : "");
    for (const ergon::Reason& reason : measured->reasons)
      std::printf("  not valid: %s\n", reason.text.c_str());
  }
  return EXIT_SUCCESS;
}
