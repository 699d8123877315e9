#include "allocate/survey.h"

#include <fmt/format.h>

#include "base/contract.h"
#include "base/parallel.h"

namespace ergon::allocate {
namespace {

Result<std::vector<Schedule>> plan_all(const NamedNetwork& network, const Configuration& configuration,
                                       std::span<const PlanMethod> methods, systolic::ScheduleCache& cache,
                                       const std::stop_token& stop) {
  const auto demands = demands_of(network.layers, configuration.hardware, cache, stop);
  if (!demands) return demands.error();
  std::vector<Schedule> schedules;
  for (const PlanMethod& method : methods) {
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    Hardware hardware = configuration.hardware;
    hardware.switch_time = method.switch_time.value_or(hardware.switch_time);
    hardware.switch_power = method.switch_power.value_or(hardware.switch_power);
    hardware.clock_step = method.clock_step.value_or(hardware.clock_step);
    if (method.memory != PlanMethod::MemoryEnergy::excluded) {
      ERGON_EXPECTS(configuration.memory_power);
      hardware.memory = configuration.memory_power;
      hardware.memory->follows_demand = method.memory == PlanMethod::MemoryEnergy::follows_demand;
    }
    const AradaTimes promised(hardware);
    auto schedule = plan(*demands, hardware, method.request, method.in_arada_time ? &promised : nullptr);
    if (!schedule)
      return schedule.error().in(
          fmt::format("{} on {}, {}", network.name, configuration.memory, method.name));
    schedules.push_back(std::move(*schedule));
  }
  return schedules;
}

}  // namespace

Result<Survey> survey(std::span<const NamedNetwork> networks, std::vector<Configuration> configurations,
                      std::vector<PlanMethod> methods, std::size_t workers, const std::stop_token& stop) {
  Survey all{.configurations = std::move(configurations), .methods = std::move(methods)};
  for (const NamedNetwork& network : networks) all.networks.push_back(network.name);
  const std::size_t tasks = all.configurations.size() * networks.size();
  std::vector<std::optional<Result<std::vector<Schedule>>>> answers(tasks);
  systolic::ScheduleCache cache;
  parallel_for(tasks, worker_count(workers, tasks), [&](std::size_t task, std::size_t) {
    if (stop.stop_requested()) return;
    answers[task] = plan_all(networks[task % networks.size()], all.configurations[task / networks.size()],
                             all.methods, cache, stop);
  });
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  for (const auto& answer : answers) {
    if (!*answer) return answer->error();
    for (const Schedule& schedule : **answer) all.schedules.push_back(schedule);
  }
  return all;
}

}  // namespace ergon::allocate
