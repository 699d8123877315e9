#include "allocate/schedule.h"

#include "allocate/arada.h"

namespace ergon::allocate {
namespace {

double printed_ratio(const LayerDemand& demand, const Hardware& hardware, const LayerSetting& setting,
                     Scheme scheme) {
  const bool lowered =
      is_arada(scheme) ? lowers_clock(demand, hardware, scheme) : setting.clock < hardware.clock;
  return lowered ? energy_as_printed(demand, hardware, setting.clock) : 1;
}

// Mean ratio over layers, unweighted and weighted by energy.
class Savings {
 public:
  void add(double ratio, Joules at_full_speed) {
    ratios_ += ratio;
    ++layers_;
    energy_ += at_full_speed * ratio;
    full_ += at_full_speed;
  }
  void add_energy(Joules energy) { energy_ += energy; }

  Saving saving() const { return {1 - ratios_ / static_cast<double>(layers_), 1 - (energy_ / full_).si()}; }

 private:
  double ratios_ = 0;
  std::size_t layers_ = 0;
  Joules energy_, full_;
};

}  // namespace

Schedule evaluate(std::span<const LayerDemand> demands, const Hardware& hardware,
                  std::span<const LayerSetting> settings, const ScheduleEvaluation& how) {
  const SimulatedTimes simulated(hardware);
  Schedule schedule{.scheme = how.scheme};
  schedule.race_to_idle = race_to_idle_time(demands, hardware.clock);
  Savings by_work, as_printed;
  Joules total, memory, memory_at_full;
  Hertz clock = hardware.clock;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const LayerDemand& demand = demands[i];
    const LayerSetting& setting = settings[i];
    ScheduledLayer layer{.demand = demand, .setting = setting, .switches = setting.clock != clock};
    const int paid = layer.switches && how.switches_cost ? 1 : 0;
    layer.simulated = simulated.of(demand, setting, paid);
    layer.planned = how.planned != nullptr ? how.planned->of(demand, setting, 0) : layer.simulated;
    layer.energy = layer_energy(demand, hardware, setting, layer.simulated);
    const EnergySplit at_full = full_speed_energy(demand, hardware);
    layer.energy_ratio = (layer.energy.array / at_full.array).si();
    layer.energy_ratio_as_printed = printed_ratio(demand, hardware, setting, how.scheme);
    by_work.add(layer.energy_ratio, at_full.array);
    as_printed.add(layer.energy_ratio_as_printed, at_full.array);
    total += layer.energy.total();
    memory += layer.energy.memory;
    memory_at_full += at_full.memory;
    schedule.planned += layer.planned.total;
    schedule.simulated += layer.simulated.total;
    schedule.bandwidth_reduction += 1 - setting.words / hardware.words_per_cycle;
    schedule.switches += (layer.switches ? 1U : 0U) + (setting.tail ? 1U : 0U);
    clock = setting.leaves_at();
    schedule.layers.push_back(std::move(layer));
  }
  const bool returns = clock != hardware.clock;
  if (returns) ++schedule.switches;
  if (returns && how.switches_cost) {
    schedule.simulated += hardware.switch_time;
    if (how.planned == nullptr) schedule.planned += hardware.switch_time;
  }
  const Joules switching =
      hardware.switch_energy() * static_cast<double>(how.switches_cost ? schedule.switches : 0);
  total += switching;
  if (how.planned == nullptr) by_work.add_energy(switching);
  schedule.by_work = by_work.saving();
  schedule.as_printed = as_printed.saving();
  schedule.bandwidth_reduction /= static_cast<double>(demands.size());
  schedule.energy_ratio = (total / race_to_idle_energy(demands, hardware)).si();
  if (memory_at_full > Joules{0}) schedule.memory_energy_ratio = (memory / memory_at_full).si();
  return schedule;
}

}  // namespace ergon::allocate
