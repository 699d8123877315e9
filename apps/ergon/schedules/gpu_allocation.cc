#include "schedules/gpu_allocation.h"

#include <nlohmann/json.hpp>

#include "allocate/gpu/gpu_plan.h"
#include "report/gpu_schedule_json.h"
#include "schedules/gpu_text.h"

namespace ergon::app {
namespace {

using namespace allocate;

Result<GpuAllocation> plan_all(const GpuWork& work, const GpuAllocationRequest& request) {
  GpuAllocation allocation{.slack = request.slack};
  for (const GpuScheme scheme : all_gpu_schemes()) {
    auto schedule =
        plan(work, scheme, {.slack = request.slack, .switch_time = work.switch_time(), .limits = {}});
    if (!schedule) return schedule.error();
    if (scheme == request.shown) allocation.shown = allocation.schedules.size();
    allocation.schedules.push_back(std::move(*schedule));
  }
  const auto found = break_even(work, {.slack = request.slack});
  if (!found) return found.error();
  allocation.break_even = *found;
  return allocation;
}

nlohmann::ordered_json document_of(const GpuWork& work, const GpuAllocation& allocation) {
  const GpuSchedule& full = allocation.schedules.front();
  const GpuSchedule& shown = allocation.schedules[allocation.shown];
  nlohmann::ordered_json body = report::gpu_work_json(work);
  body["slack"] = allocation.slack;
  body["time_allowed_seconds"] = budget_of(work, allocation.slack).si();
  body.update(report::break_even_json(allocation.break_even));
  body["schemes"] = nlohmann::ordered_json::array();
  for (const GpuSchedule& each : allocation.schedules) {
    body["schemes"].push_back(report::gpu_schedule_json(work, each, full));
  }
  body["scheme"] = name_of(shown.scheme);
  body["operations"] = report::gpu_operations_json(work, shown);
  return body;
}

}  // namespace

Result<int> allocate_on_gpu(const GpuAllocationRequest& request, Shell& shell) {
  const auto work = request.gpu.load(request.network, request.clock_step, request.switch_time);
  if (!work) return work.error();
  const auto allocation = plan_all(*work, request);
  if (!allocation) return allocation.error();
  auto files = request.network.files();
  for (std::string& file : request.gpu.files()) files.push_back(std::move(file));
  const auto printed =
      shell.json ? shell.print_document("ergon.allocate.gpu/2", files, document_of(*work, *allocation), true)
                 : shell.print_report(gpu_allocation_text(*work, *allocation, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace ergon::app
