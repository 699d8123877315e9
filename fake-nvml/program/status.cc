#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "command.h"
#include "product.h"

namespace ergon::fake_nvml {
namespace {

using Json = nlohmann::json;

Json range_json(const std::optional<MhzRange>& range) {
  return range ? Json{{"min_mhz", range->min}, {"max_mhz", range->max}} : Json();
}

Json process_json(const Context& context, bool running) {
  Json json{{"pid", context.owner.pid},
            {"program", program_of(context.owner.pid).value_or("")},
            {"memory_bytes", static_cast<std::int64_t>(context.memory().si())},
            {"running", running}};
  if (context.job) {
    json["network"] = context.job->name.network;
    json["batch"] = context.job->name.batch;
  }
  return json;
}

Json gpu_json(const Gpu& gpu, const DeviceSlot& slot, std::size_t index) {
  const device::Twin& twin = gpu.twin();
  Json json{{"gpu", index},
            {"twin", slot.gpu.name},
            {"name", product_of(slot.gpu).name},
            {"uuid", slot.uuid},
            {"core_mhz", whole_mhz(twin.clock())},
            {"locked_core", range_json(gpu.locked_core())},
            {"locked_memory", range_json(gpu.locked_memory())},
            {"limit_watts", twin.limit().si()},
            {"true_watts", twin.true_power().si()},
            {"true_joules", twin.true_energy().si()},
            {"degrees", twin.temperature().degrees()},
            {"iterations", twin.iterations()},
            {"running", twin.running()},
            {"processes", Json::array()}};
  json["application_clocks"] = nullptr;
  if (const auto set = gpu.application_clocks()) {
    json["application_clocks"] = {{"memory_mhz", set->memory}, {"core_mhz", set->core}};
  }
  for (const Context& context : gpu.contexts()) {
    json["processes"].push_back(process_json(context, gpu.running_owner() == context.owner));
  }
  return json;
}

std::string range_text(const std::optional<MhzRange>& range) {
  return range ? fmt::format("{} to {} MHz", range->min, range->max) : "not locked";
}

std::string gpu_text(const Gpu& gpu, const DeviceSlot& slot, std::size_t index) {
  const device::Twin& twin = gpu.twin();
  std::string text =
      fmt::format("GPU {}  {}  {}\n", index, product_of(slot.gpu).name, slot.uuid) +
      fmt::format("  clock {} MHz, {}; limit {}; {:.0f} degC\n", whole_mhz(twin.clock()),
                  range_text(gpu.locked_core()), ergon::to_text(twin.limit()), twin.temperature().degrees()) +
      fmt::format("  true power {}, true energy {}\n", ergon::to_text(twin.true_power()),
                  ergon::to_text(twin.true_energy()));
  if (gpu.locked_memory()) text += fmt::format("  memory clock {}\n", range_text(gpu.locked_memory()));
  if (const auto set = gpu.application_clocks()) {
    text += fmt::format("  application clocks {} MHz, memory {} MHz\n", set->core, set->memory);
  }
  for (const Context& context : gpu.contexts()) {
    const bool running = gpu.running_owner() == context.owner;
    const std::string job =
        context.job ? fmt::format("{} {}", running ? "runs" : "is waiting to run", to_text(context.job->name))
                    : "is idle";
    text += fmt::format("  process {} ({}) {}\n", context.owner.pid,
                        program_of(context.owner.pid).value_or("?"), job);
  }
  return text;
}

}  // namespace

Result<> print_status(Simulation& simulation, bool json) {
  Json gpus = Json::array();
  std::string text = fmt::format("time {} ({})\n", ergon::to_text(seconds_between(0, simulation.now_ns())),
                                 simulation.scenario().manual_time ? "manual" : "wall");
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const Gpu& gpu = simulation.gpu(i);
    gpus.push_back(gpu_json(gpu, simulation.scenario().slots[i], i));
    text += gpu_text(gpu, simulation.scenario().slots[i], i);
  }
  const Json document{
      {"simulated", true}, {"now_seconds", static_cast<double>(simulation.now_ns()) * 1e-9}, {"gpus", gpus}};
  std::cout << (json ? document.dump(2) + "\n" : text);
  return {};
}

}  // namespace ergon::fake_nvml
