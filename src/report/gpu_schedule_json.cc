#include "report/gpu_schedule_json.h"

#include <set>

#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace allocate;

}  // namespace

Json gpu_work_json(const GpuWork& work) {
  const device::Workload& workload = work.workload();
  return {{"network", workload.network},
          {"batch", workload.batch},
          {"mode", name_of(workload.mode)},
          {"precision", name_of(workload.precision)},
          {"device", work.gpu().name},
          {"clock_min_hertz", work.clocks().front().si()},
          {"clock_max_hertz", work.top().si()},
          {"clocks", work.clocks().size()},
          {"clock_limited", work.limited()},
          {"temperature_celsius", work.temperature().degrees()},
          {"switch_seconds", work.switch_time().si()},
          {"switch_device_seconds", work.gpu().clock_switch.si()},
          {"switch_power_watts", work.switch_power().si()},
          {"notes", Json::array({kNoLaunchOverhead})},
          {"warnings", work.warnings()}};
}

Json gpu_schedule_json(const GpuWork& work, const GpuSchedule& schedule, const GpuSchedule& race_to_idle) {
  const std::set<Hertz> distinct(schedule.clocks.begin(), schedule.clocks.end());
  Json json = {{"scheme", name_of(schedule.scheme)},
               {"time_seconds", schedule.time.si()},
               {"energy_joules", schedule.energy.si()},
               {"time_ratio", (schedule.time / race_to_idle.time).si()},
               {"energy_ratio", (schedule.energy / race_to_idle.energy).si()},
               {"switches", schedule.switches},
               {"distinct_clocks", distinct.size()},
               {"lower_bound_energy_joules", nullptr},
               {"runs", Json::array()}};
  if (schedule.lower_bound) json["lower_bound_energy_joules"] = schedule.lower_bound->si();
  for (const ClockRun& run : clock_runs(work, schedule)) {
    json["runs"].push_back({{"first", run.first},
                            {"operations", run.count},
                            {"clock_hertz", run.clock.si()},
                            {"time_seconds", run.time.si()},
                            {"energy_joules", run.energy.si()}});
  }
  return json;
}

Json gpu_operations_json(const GpuWork& work, const GpuSchedule& schedule) {
  Json operations = Json::array();
  for (std::size_t i = 0; i < work.steps().size(); ++i) {
    const GpuStep& step = work.steps()[i];
    const StepCost cost = work.at(i, schedule.clocks[i]);
    operations.push_back({{"layer", step.name},
                          {"kind", step.kind},
                          {"pass", name_of(step.pass)},
                          {"bound", name_of(step.bound)},
                          {"clock_hertz", schedule.clocks[i].si()},
                          {"time_seconds", cost.time.si()},
                          {"energy_joules", cost.energy.si()}});
  }
  return operations;
}

Json break_even_json(const BreakEven& found) {
  Json json = {{"break_even_switch_seconds", nullptr},
               {"min_saving", found.min_saving},
               {"saving_at_shortest", found.saving_at_shortest},
               {"shortest_switch_seconds", found.shortest.si()},
               {"longest_switch_seconds", found.longest.si()}};
  if (found.switch_time) json["break_even_switch_seconds"] = found.switch_time->si();
  return json;
}

Json gpu_allocation_json(const GpuWork& work, const GpuAllocation& allocation, GpuScheme shown) {
  Json body = gpu_work_json(work);
  body["slack"] = allocation.slack;
  body["time_allowed_seconds"] = budget_of(work, allocation.slack).si();
  body.update(break_even_json(allocation.break_even));
  body["schemes"] = Json::array();
  for (const GpuSchedule& each : allocation.schedules)
    body["schemes"].push_back(gpu_schedule_json(work, each, allocation.race_to_idle()));
  body["scheme"] = name_of(shown);
  body["operations"] = gpu_operations_json(work, allocation.of(shown));
  return body;
}

}  // namespace ergon::report
