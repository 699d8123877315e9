#include "report/allocate_json.h"

#include <nlohmann/json.hpp>

#include "report/systolic_json.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace allocate;

Json saving_json(const Saving& saving) {
  return {{"layer_mean", saving.layer_mean}, {"energy_weighted", saving.energy_weighted}};
}

// Network and hardware, with which every document begins.
Json head_json(const std::string& network, const ResolvedHardware& hardware) {
  Json json = {{"network", network},
               {"accelerator", hardware.accelerator},
               {"memory", nullptr},
               {"hardware", hardware_json(hardware.hardware)}};
  if (hardware.memory) json["memory"] = *hardware.memory;
  return json;
}

Json followed_json(const FollowedRun& run) {
  return {{"seconds", run.followed.time.si()},
          {"energy_joules", run.energy.si()},
          {"corrected_layers", run.followed.corrected}};
}

}  // namespace

Json hardware_json(const Hardware& hardware) {
  Json json = {{"machine", machine_json(hardware.machine)},
               {"semantics", name_of(hardware.semantics)},
               {"frequency_max_hz", hardware.clock.si()},
               {"frequency_step_hz", hardware.clock_step.si()},
               {"bandwidth_max_bytes_per_second", hardware.bandwidth(hardware.words_per_cycle).si()},
               {"bandwidth_step_bytes_per_second", hardware.bandwidth(hardware.word_step).si()},
               {"words_per_cycle", hardware.words_per_cycle},
               {"switch_seconds", hardware.switch_time.si()},
               {"switch_power_share", hardware.switch_power},
               {"stall_power_share", hardware.stall_power},
               {"voltage", hardware.voltage.name()},
               {"voltage_min_ratio", hardware.lowest_voltage_ratio()},
               {"leakage_share", hardware.voltage.leakage},
               {"memory_energy", nullptr}};
  if (hardware.memory) {
    json["array_power_watts"] = hardware.array_power.si();
    json["memory_energy"] = {{"word_joules", hardware.memory->per_word.si()},
                             {"background_watts", hardware.memory->background.si()},
                             {"background_scaling", hardware.memory->scaling},
                             {"follows_demand", hardware.memory->follows_demand}};
  }
  return json;
}

Json schedule_summary_json(const Schedule& schedule) {
  Json json = {{"scheme", name_of(schedule.scheme)},
               {"energy_saving", saving_json(schedule.by_work)},
               {"energy_saving_eq6", saving_json(schedule.as_printed)},
               {"bandwidth_reduction", schedule.bandwidth_reduction},
               {"latency_seconds", schedule.planned.si()},
               {"latency_race_to_idle_seconds", schedule.race_to_idle.si()},
               {"latency_resimulated_seconds", schedule.simulated.si()},
               {"latency_allowed_seconds", nullptr},
               {"switches", schedule.switches},
               {"energy_ratio", schedule.energy_ratio},
               {"memory_energy_ratio", schedule.memory_energy_ratio},
               {"lower_bound_energy_ratio", nullptr},
               {"gap", nullptr},
               {"proof", nullptr}};
  if (schedule.allowed) json["latency_allowed_seconds"] = schedule.allowed->si();
  if (schedule.certificate) {
    json["lower_bound_energy_ratio"] = schedule.certificate->lower_bound;
    json["gap"] = schedule.gap();
    json["proof"] = {{"complete_search", schedule.certificate->exact},
                     {"dual_bound_energy_ratio", schedule.certificate->dual_bound}};
  }
  return json;
}

Json scheduled_layer_json(const ScheduledLayer& layer, const Hardware& hardware) {
  Json json = {{"name", layer.demand.name},
               {"bound", name_of(layer.demand.bound)},
               {"cycles_total", layer.demand.total_cycles},
               {"cycles_stall", layer.demand.stall_cycles},
               {"frequency_hz", layer.setting.clock.si()},
               {"voltage_ratio", hardware.voltage_ratio(layer.setting.clock)},
               {"bandwidth_bytes_per_second", hardware.bandwidth(layer.setting.words).si()},
               {"bandwidth_ratio", layer.setting.words / hardware.words_per_cycle},
               {"time_seconds", layer.planned.total.si()},
               {"time_resimulated_seconds", layer.simulated.total.si()},
               {"stall_seconds", layer.simulated.stall.si()},
               {"energy_ratio", layer.energy_ratio},
               {"energy_ratio_eq6", layer.energy_ratio_as_printed},
               {"switches_before", layer.switches},
               {"tail", nullptr}};
  if (const auto& tail = layer.setting.tail) {
    json["tail"] = {{"frequency_hz", tail->clock.si()},
                    {"voltage_ratio", hardware.voltage_ratio(tail->clock)},
                    {"after_line", tail->after_line},
                    {"share_of_work", layer.demand.share_after(tail->after_line)}};
  }
  return json;
}

Json allocation_json(const std::string& network, const ResolvedHardware& hardware, const Schedule& schedule,
                     const std::optional<Schedule>& other) {
  Json body = head_json(network, hardware);
  body.update(schedule_summary_json(schedule));
  body["meets_planned_latency"] = schedule.meets_planned_latency();
  body["iso_latency"] = nullptr;
  if (other) body["iso_latency"] = schedule_summary_json(*other);
  Json layers = Json::array();
  for (const ScheduledLayer& layer : schedule.layers)
    layers.push_back(scheduled_layer_json(layer, hardware.hardware));
  body["layers"] = std::move(layers);
  return body;
}

Json allocation_comparison_json(const std::string& network, const ResolvedHardware& hardware, double slack,
                                std::span<const Schedule> schedules) {
  Json body = head_json(network, hardware);
  body["slack"] = slack;
  for (const Schedule& schedule : schedules) body["schemes"].push_back(schedule_summary_json(schedule));
  return body;
}

Json follow_json(const std::string& network, const ResolvedHardware& hardware, double slack,
                 const NeighborScenario& scenario, const FollowComparison& comparison) {
  Json body = head_json(network, hardware);
  body["slack"] = slack;
  body["runs"] = scenario.runs;
  body["period_networks"] = scenario.period;
  body["bandwidth_taken"] = scenario.taken;
  body["uncorrected"] = followed_json(comparison.uncorrected);
  body["corrected"] = followed_json(comparison.corrected);
  body["slowdown"] = comparison.slowdown();
  body["energy_saved"] = comparison.energy_saved();
  return body;
}

}  // namespace ergon::report
