#include "allocate/plan.h"

#include <algorithm>

#include "allocate/arada.h"
#include "allocate/bill.h"
#include "allocate/choices.h"
#include "base/units_text.h"

namespace ergon::allocate {
namespace {

// The clock at which a layer, both changes paid, keeps its own time and takes least energy.
Setting greedy_setting(const Demand& demand, const Hardware& hardware, const LayerTimes& times, double slack,
                       bool early_switch) {
  Setting best{hardware.clock, hardware.words_per_cycle, {}};
  const LayerTime at_full = times.of(demand, best, 0);
  const Seconds allowed = at_full.total * (1 + slack + 1e-12);
  Joules least = bill_of(demand, hardware, best, at_full).total();
  for (const Hertz clock : clock_levels(hardware)) {
    if (clock >= hardware.clock) break;
    const Setting setting{clock, hardware.words_per_cycle, {}};
    LayerTime time = times.of(demand, setting, early_switch ? 2 : 1);
    if (!early_switch) time.total += hardware.switch_time;
    const Joules energy = bill_of(demand, hardware, setting, time).total() + 2 * hardware.switch_energy();
    if (time.total > allowed || energy >= least) continue;
    best = setting;
    least = energy;
  }
  return best;
}

// The least bandwidth that a layer at its clock does not feel.
void lower_bandwidths(std::span<const Demand> demands, const Hardware& hardware, const LayerTimes& times,
                      std::vector<Setting>& settings) {
  Hertz clock = hardware.clock;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    Setting& setting = settings[i];
    const int switches = setting.clock == clock ? 0 : 1;
    clock = setting.leaves_at();
    const Seconds time = times.of(demands[i], setting, switches).total;
    for (const double words : word_levels(hardware)) {
      Setting less = setting;
      less.words = words;
      if (words >= setting.words) break;
      if (words < 1 || words < demands[i].required_words) continue;
      if (times.of(demands[i], less, switches).total > time) continue;
      setting = less;
      break;
    }
  }
}

// A bound on a schedule as a ratio to race to idle. Adding the same joules up in another order must not put
// it above what it bounds.
Certificate certificate_of(const Optimum& optimum, const Schedule& schedule, std::span<const Demand> demands,
                           const Hardware& hardware) {
  const Joules full = race_to_idle_energy(demands, hardware);
  Certificate proof{(optimum.lower_bound / full).si(), (optimum.dual_bound / full).si(), optimum.exact};
  proof.lower_bound = std::min(proof.lower_bound, schedule.energy_ratio);
  proof.dual_bound = std::min(proof.dual_bound, proof.lower_bound);
  return proof;
}

struct Chosen {
  std::vector<Setting> settings;
  Optimum optimum;
};

Result<Chosen> choose_optimal(std::span<const Demand> demands, const Hardware& hardware,
                              const LayerTimes& times, const Freedom& freedom, Seconds allowed,
                              const SearchLimits& limits) {
  const Choices choices = choices_of(demands, hardware, times, freedom, allowed);
  auto optimum = minimise_energy(choices.problem, limits);
  if (!optimum) return optimum.error();
  Chosen chosen{choices.settings_of(optimum->path), std::move(*optimum)};
  if (!freedom.tails || chosen.optimum.exact) return chosen;
  // A search that was cut may miss what one over fewer choices finds.
  Freedom less = freedom;
  less.tails = false;
  auto plain = choose_optimal(demands, hardware, times, less, allowed, limits);
  if (!plain) return plain.error();
  if (plain->optimum.path.energy < chosen.optimum.path.energy) chosen.settings = std::move(plain->settings);
  return chosen;
}

}  // namespace

Result<Schedule> plan(std::span<const Demand> demands, const Hardware& hardware, const Request& request,
                      const LayerTimes* times) {
  const Seconds full = race_to_idle_time(demands, hardware.clock);
  const bool free_switches = request.scheme == Scheme::ideal || request.scheme == Scheme::race_to_idle;
  if (!free_switches && hardware.switch_time > full) {
    return fail(Errc::invalid_input, "a change of clock takes {}, longer than the whole network ({})",
                to_text(hardware.switch_time), to_text(full));
  }
  if (is_arada(request.scheme)) {
    const PromisedTimes promised(hardware);
    const auto settings = allocate_arada(demands, hardware, request.scheme);
    return evaluate(demands, hardware, settings, {request.scheme, !free_switches, &promised});
  }
  const SimulatedTimes simulated(hardware);
  const bool promised = times != nullptr;
  const LayerTimes& model = promised ? *times : simulated;
  const Seconds allowed = request.latency.value_or(full * (1 + request.slack));
  std::vector<Setting> settings;
  std::optional<Optimum> optimum;
  if (request.scheme == Scheme::greedy) {
    const double slack = (allowed / full).si() - 1;
    for (const Demand& demand : demands) {
      settings.push_back(greedy_setting(demand, hardware, model, slack, promised));
    }
  } else {
    Freedom freedom = all_levels(hardware);
    freedom.tails = request.scheme == Scheme::optimal_split;
    freedom.early_switch = promised;
    auto chosen = choose_optimal(demands, hardware, model, freedom, allowed, request.limits);
    if (!chosen) return chosen.error();
    settings = std::move(chosen->settings);
    optimum = std::move(chosen->optimum);
  }
  // Where slowing the memory saves energy, the optimum has chosen bandwidths already.
  const bool memory_follows = hardware.memory && hardware.memory->follows_demand;
  if (!optimum || !memory_follows) lower_bandwidths(demands, hardware, model, settings);
  Schedule schedule = evaluate(demands, hardware, settings, {request.scheme, true, times});
  schedule.allowed = allowed;
  if (optimum) schedule.certificate = certificate_of(*optimum, schedule, demands, hardware);
  return schedule;
}

Result<std::optional<Certificate>> certify(const Schedule& schedule, std::span<const Demand> demands,
                                           const Hardware& hardware) {
  const bool any_clock = schedule.scheme == Scheme::ideal || schedule.scheme == Scheme::vf_oh;
  if (any_clock) return std::optional<Certificate>();
  if (schedule.certificate) return schedule.certificate;
  const SimulatedTimes times(hardware);
  const Choices choices = choices_of(demands, hardware, times, all_levels(hardware), schedule.simulated);
  const auto optimum = minimise_energy(choices.problem);
  if (!optimum) return optimum.error();
  return std::optional(certificate_of(*optimum, schedule, demands, hardware));
}

}  // namespace ergon::allocate
