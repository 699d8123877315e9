// Time and energy of one layer at a setting, and sums over layers.

#include "allocate/schedule.h"

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/choices.h"

namespace ergon::allocate {
namespace {

TEST(LayerEnergy, ATailUsesItsOwnVoltage) {
  const Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  const LayerDemand& demand = demands[1];
  const std::int64_t lines = demand.schedule->mapping.lines();
  const LayerSetting setting{Hertz{200e6}, 20, Tail{lines / 4 - 1, hardware.clock}};
  const double tail = 1 - static_cast<double>(lines / 4) / static_cast<double>(lines);
  const double work = static_cast<double>(demand.total_cycles - demand.stall_cycles) / 500e6;  // at 1 W
  const Joules expected{work * ((1 - tail) * 0.4 * 0.4 + tail)};
  EXPECT_NEAR(layer_energy(demand, hardware, setting, {}).array.si(), expected.si(), 1e-12 * expected.si());
}

TEST(LayerEnergy, IncludesStallPower) {
  Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  const LayerSetting setting{Hertz{250e6}, 20, {}};
  const LayerTime time{Seconds{1e-3}, Seconds{4e-4}};
  const Joules free = layer_energy(demands[1], hardware, setting, time).array;
  hardware.stall_power = 0.3;
  // 30 % of (1/2)^2 x 1/2 of a watt for 0.4 ms.
  EXPECT_NEAR((layer_energy(demands[1], hardware, setting, time).array - free).si(), 0.3 * 0.125 * 4e-4,
              1e-15);
}

// Layer 3 never stalls, so every switch adds its full duration.
TEST(SimulatedTimes, ASwitchAddsItsDurationWithoutStalls) {
  const Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  const SimulatedTimes times(hardware);
  const LayerSetting full{hardware.clock, 20, {}};
  const Seconds plain = times.of(demands[2], full, 0).total;
  EXPECT_EQ(plain, Cycles{30967} / hardware.clock);
  EXPECT_NEAR((times.of(demands[2], full, 1).total - plain).si(), 10e-6, 1e-12);
  LayerSetting changing = full;
  changing.tail = Tail{100, hardware.clock};
  EXPECT_NEAR((times.of(demands[2], changing, 0).total - plain).si(), 10e-6, 1e-12);
  EXPECT_NEAR((times.of(demands[2], changing, 1).total - plain).si(), 20e-6, 1e-12);
}

// Layer 2 stalls for 86,689 cycles, which hide a switch before it.
TEST(SimulatedTimes, ASwitchHidesInAStall) {
  const Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  const SimulatedTimes times(hardware);
  const LayerSetting full{hardware.clock, 20, {}};
  EXPECT_EQ(times.of(demands[1], full, 1).total, times.of(demands[1], full, 0).total);
}

// The return to the highest clock after the last layer takes time and energy.
TEST(Evaluate, CountsTheFinalSwitch) {
  const Hardware hardware = arada_hardware("edge-tpu", 8);
  auto demands = demands_of_network("scalesim/Resnet18", hardware);
  demands.resize(3);
  const std::vector<LayerSetting> settings = {
      {hardware.clock, 8, {}}, {Hertz{100e6}, 8, {}}, {Hertz{100e6}, 8, {}}};
  const Schedule schedule = evaluate(demands, hardware, settings, {Scheme::optimal, true, nullptr});
  EXPECT_EQ(schedule.switches, 2U);
  Seconds layers;
  Joules energy = hardware.switch_energy() * 2.0;
  for (const ScheduledLayer& layer : schedule.layers) {
    layers += layer.simulated.total;
    energy += layer.energy.total();
  }
  EXPECT_NEAR((schedule.simulated - layers).si(), 10e-6, 1e-12);
  EXPECT_NEAR(schedule.energy_ratio, (energy / race_to_idle_energy(demands, hardware)).si(), 1e-12);
  const Schedule free = evaluate(demands, hardware, settings, {Scheme::ideal, false, nullptr});
  EXPECT_LT(free.simulated, schedule.simulated);
  EXPECT_LT(free.energy_ratio, schedule.energy_ratio);
}

// A setting that is better only after a switch is not dominated.
TEST(Choices, OnlyDominatedSettingsAreDropped) {
  class Times final : public LayerTimes {
   public:
    LayerTime of(const LayerDemand&, const LayerSetting& setting, int switches) const override {
      const double late = setting.words < 8 ? 1e-6 : 5e-6;
      return {Seconds{1e-3 + late * switches}, Seconds{0}};
    }
  };
  Hardware hardware = arada_hardware("edge-tpu", 8);
  hardware.clock_step = hardware.clock;
  hardware.memory = MemoryPower{.follows_demand = true};  // zero power, so that energies are equal
  auto demands = demands_of_network("scalesim/Resnet18", hardware);
  demands.resize(1);
  demands[0].required_words = 1;
  const Choices choices = choices_of(demands, hardware, Times(), all_levels(hardware), Seconds{1});
  ASSERT_EQ(choices.settings[0].size(), 2U);
  EXPECT_EQ(choices.settings[0][0].words, 8);
  EXPECT_EQ(choices.settings[0][1].words, 4);
}

}  // namespace
}  // namespace ergon::allocate
