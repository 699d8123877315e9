// Schedules against an independent simulation: line by line, word by word.

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/plan.h"
#include "systolic/plain_run.h"

namespace ergon::allocate {
namespace {

// By definition: the array starts at its highest clock, is stopped for 10 us per switch, and returns.
double plain_seconds(const Schedule& schedule, const Hardware& hardware) {
  const double top = hardware.clock.si(), pause = 10e-6 * top;
  double seconds = 0, clock = top;
  for (const ScheduledLayer& layer : schedule.layers) {
    const LayerSetting& setting = layer.setting;
    systolic::Pace pace{.line = top / setting.clock.si(), .start = setting.clock.si() == clock ? 0 : pause};
    clock = setting.clock.si();
    if (setting.tail) {
      clock = setting.tail->clock.si();
      pace.change = {.after = setting.tail->after_line, .line = top / clock, .pause = pause};
    }
    const auto ports = systolic::PortWords::all(static_cast<std::int64_t>(setting.words));
    seconds +=
        systolic::plain_run(*layer.demand.schedule, ports, systolic::Semantics::v2_2021, pace).cycles / top;
  }
  return clock == top ? seconds : seconds + 10e-6;
}

TEST(Resimulation, MatchesTheScheduledTime) {
  for (const char* const network : {"scalesim/MobileNet", "scalesim/Resnet18", "arada/MobileNetV2"}) {
    for (const auto& [accelerator, words] :
         {std::pair{"edge-tpu", 8.0}, {"edge-tpu", 28.0}, {"hpc-tpu", 32.0}}) {
      const Hardware hardware = arada_hardware(accelerator, words);
      const auto demands = demands_of_network(network, hardware);
      for (const Scheme scheme : {Scheme::vf_oh_q, Scheme::optimal, Scheme::optimal_split}) {
        const double slack = scheme == Scheme::vf_oh_q ? 0 : 0.02;
        const auto schedule = plan(demands, hardware, {.scheme = scheme, .slack = slack});
        ASSERT_TRUE(schedule);
        const double seconds = plain_seconds(*schedule, hardware);
        EXPECT_NEAR(seconds, schedule->simulated.si(), 1e-9 * seconds)
            << network << " " << words << name_of(scheme);
        if (scheme != Scheme::vf_oh_q) {
          EXPECT_LE(seconds, 1.02 * schedule->race_to_idle.si() * (1 + 1e-9)) << network << " " << words;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ergon::allocate
