#include "allocate/plan.h"

#include <algorithm>

#include "allocate/arada.h"
#include "allocate/choices.h"
#include "allocate/layer_energy.h"
#include "base/units_text.h"

namespace ergon::allocate {
namespace {

// The clock of lowest energy at which a layer, with both switches, stays within its own time plus slack.
LayerSetting greedy_setting(const LayerDemand& demand, const Hardware& hardware, const LayerTimes& times,
                            double slack, bool early_switch) {
  LayerSetting best{hardware.clock, hardware.words_per_cycle, {}};
  const LayerTime at_full = times.of(demand, best, 0);
  const Seconds allowed = at_full.total * (1 + slack + 1e-12);
  Joules lowest = layer_energy(demand, hardware, best, at_full).total();
  for (const Hertz clock : clock_levels(hardware)) {
    if (clock >= hardware.clock) break;
    const LayerSetting setting{clock, hardware.words_per_cycle, {}};
    LayerTime time = times.of(demand, setting, early_switch ? 2 : 1);
    if (!early_switch) time.total += hardware.switch_time;
    const Joules energy =
        layer_energy(demand, hardware, setting, time).total() + 2 * hardware.switch_energy();
    if (time.total > allowed || energy >= lowest) continue;
    best = setting;
    lowest = energy;
  }
  return best;
}

// Lowers each bandwidth to the minimum that does not slow the layer at its clock.
void lower_bandwidths(std::span<const LayerDemand> demands, const Hardware& hardware, const LayerTimes& times,
                      std::vector<LayerSetting>& settings) {
  Hertz clock = hardware.clock;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    LayerSetting& setting = settings[i];
    const int switches = setting.clock == clock ? 0 : 1;
    clock = setting.leaves_at();
    const Seconds time = times.of(demands[i], setting, switches).total;
    for (const double words : word_levels(hardware)) {
      LayerSetting less = setting;
      less.words = words;
      if (words >= setting.words) break;
      if (words < 1 || words < demands[i].required_words) continue;
      if (times.of(demands[i], less, switches).total > time) continue;
      setting = less;
      break;
    }
  }
}

// Lower bound as a ratio to race to idle, clamped to the schedule's own ratio against rounding.
Certificate certificate_of(const PathOptimum& optimum, const Schedule& schedule,
                           std::span<const LayerDemand> demands, const Hardware& hardware) {
  const Joules full = race_to_idle_energy(demands, hardware);
  Certificate proof{(optimum.lower_bound / full).si(), (optimum.dual_bound / full).si(), optimum.exact};
  proof.lower_bound = std::min(proof.lower_bound, schedule.energy_ratio);
  proof.dual_bound = std::min(proof.dual_bound, proof.lower_bound);
  return proof;
}

struct Chosen {
  std::vector<LayerSetting> settings;
  PathOptimum optimum;
};

Result<Chosen> choose_optimal(std::span<const LayerDemand> demands, const Hardware& hardware,
                              const LayerTimes& times, const SearchSpace& space, Seconds allowed,
                              const SearchLimits& limits) {
  const Choices choices = choices_of(demands, hardware, times, space, allowed);
  auto optimum = minimize_energy(choices.problem, limits);
  if (!optimum) return optimum.error();
  Chosen chosen{choices.settings_of(optimum->path), std::move(*optimum)};
  if (!space.tails || chosen.optimum.exact) return chosen;
  // A truncated search may miss a path that a search over fewer choices finds.
  SearchSpace less = space;
  less.tails = false;
  auto plain = choose_optimal(demands, hardware, times, less, allowed, limits);
  if (!plain) return plain.error();
  if (plain->optimum.path.energy < chosen.optimum.path.energy) chosen.settings = std::move(plain->settings);
  return chosen;
}

}  // namespace

Result<Schedule> plan(std::span<const LayerDemand> demands, const Hardware& hardware,
                      const PlanRequest& request, const LayerTimes* times) {
  const Seconds full = race_to_idle_time(demands, hardware.clock);
  const bool free_switches = request.scheme == Scheme::ideal || request.scheme == Scheme::race_to_idle;
  if (!free_switches && hardware.switch_time > full) {
    return fail(Errc::invalid_input, "the switch time, {}, is longer than the network, {}",
                to_text(hardware.switch_time), to_text(full));
  }
  if (is_arada(request.scheme)) {
    const AradaTimes promised(hardware);
    const auto settings = allocate_arada(demands, hardware, request.scheme);
    return evaluate(demands, hardware, settings, {request.scheme, !free_switches, &promised});
  }
  const SimulatedTimes simulated(hardware);
  const bool overlap = times != nullptr;
  const LayerTimes& model = overlap ? *times : simulated;
  const Seconds allowed = request.latency.value_or(full * (1 + request.slack));
  std::vector<LayerSetting> settings;
  std::optional<PathOptimum> optimum;
  if (request.scheme == Scheme::greedy) {
    const double slack = (allowed / full).si() - 1;
    for (const LayerDemand& demand : demands) {
      settings.push_back(greedy_setting(demand, hardware, model, slack, overlap));
    }
  } else {
    SearchSpace space = all_levels(hardware);
    space.tails = request.scheme == Scheme::optimal_split;
    space.early_switch = overlap;
    auto chosen = choose_optimal(demands, hardware, model, space, allowed, request.limits);
    if (!chosen) return chosen.error();
    settings = std::move(chosen->settings);
    optimum = std::move(chosen->optimum);
  }
  // If a slower memory saves energy, the optimizer has already chosen bandwidths.
  const bool memory_follows = hardware.memory && hardware.memory->follows_demand;
  if (!optimum || !memory_follows) lower_bandwidths(demands, hardware, model, settings);
  Schedule schedule = evaluate(demands, hardware, settings, {request.scheme, true, times});
  schedule.allowed = allowed;
  if (optimum) schedule.certificate = certificate_of(*optimum, schedule, demands, hardware);
  return schedule;
}

Result<std::optional<Certificate>> certify(const Schedule& schedule, std::span<const LayerDemand> demands,
                                           const Hardware& hardware) {
  const bool any_clock = schedule.scheme == Scheme::ideal || schedule.scheme == Scheme::vf_oh;
  if (any_clock) return std::optional<Certificate>();
  if (schedule.certificate) return schedule.certificate;
  const SimulatedTimes times(hardware);
  const Choices choices = choices_of(demands, hardware, times, all_levels(hardware), schedule.simulated);
  const auto optimum = minimize_energy(choices.problem);
  if (!optimum) return optimum.error();
  return std::optional(certificate_of(*optimum, schedule, demands, hardware));
}

Result<Schedule> plan_certified(std::span<const LayerDemand> demands, const Hardware& hardware,
                                const PlanRequest& request) {
  auto schedule = plan(demands, hardware, request);
  if (!schedule) return schedule.error();
  auto certificate = certify(*schedule, demands, hardware);
  if (!certificate) return certificate.error();
  schedule->certificate = *certificate;
  return schedule;
}

std::optional<Schedule> iso_latency(const Schedule& schedule, std::span<const LayerDemand> demands,
                                    const Hardware& hardware) {
  const bool slow = is_arada(schedule.scheme) && !schedule.meets_planned_latency();
  const bool useless = schedule.scheme == Scheme::optimal && schedule.energy_ratio > 1 - kNegligible;
  if (!slow && !useless) return std::nullopt;
  auto other = plan(demands, hardware, {.scheme = Scheme::optimal_split});
  if (!other || other->energy_ratio > 1 - kMinReported) return std::nullopt;
  return std::move(*other);
}

double slowdown_by_bandwidth(const Schedule& schedule, std::span<const LayerDemand> demands,
                             const Hardware& hardware) {
  std::vector<LayerSetting> settings;
  for (const ScheduledLayer& layer : schedule.layers) {
    settings.push_back(layer.setting);
    settings.back().words = hardware.words_per_cycle;
  }
  const bool switches_cost = schedule.scheme != Scheme::ideal;
  const Schedule full_bandwidth =
      evaluate(demands, hardware, settings, {schedule.scheme, switches_cost, nullptr});
  return ((schedule.simulated - full_bandwidth.simulated) / schedule.race_to_idle).si();
}

}  // namespace ergon::allocate
