#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "device/twin/catalogue.h"
#include "devices/device_commands.h"
#include "report/device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

std::string devices_text(const std::vector<device::Specification>& gpus, bool colour) {
  report::TextTable table({{"device"},
                           {"product"},
                           {"SMs", Align::right},
                           {"core clock", Align::right},
                           {"memory", Align::right},
                           {"bandwidth", Align::right},
                           {"power limit", Align::right}});
  for (const device::Specification& gpu : gpus) {
    table.row({gpu.name, gpu.title, std::to_string(gpu.multiprocessors),
               fmt::format("{:.0f}-{:.0f} MHz", gpu.core.least.si() / 1e6, gpu.core.most.si() / 1e6),
               fmt::format("{:.0f} GiB", gpu.memory.capacity.si() / 1073741824.0),
               to_text(gpu.memory.bandwidth),
               fmt::format("{:.0f}-{:.0f} W", gpu.limit.least.si(), gpu.limit.most.si())});
  }
  return "Twins: simulated GPUs; `ergon devices validate` and docs/twins.md say how good each is\n\n" +
         table.text(colour);
}

Result<int> list_devices(Shell& shell) {
  std::vector<device::Specification> gpus;
  for (const std::string& name : device::device_names()) {
    auto gpu = device::find_device(name);
    if (!gpu) return gpu.error();
    gpus.push_back(std::move(*gpu));
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const device::Specification& gpu : gpus) list.push_back(report::device_json(gpu));
  const auto printed = shell.json
                           ? shell.print_document("ergon.devices/1", {}, {{"devices", std::move(list)}}, true)
                           : shell.print(devices_text(gpus, shell.colour()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command devices_command() {
  return {
      .name = "devices",
      .summary = "the GPUs that Ergon can ask: simulated twins",
      .description =
          "Without a command, a list. A twin is a physical model of a GPU: how long, how hot, how many "
          "watts, at any clock, "
          "batch and power limit.",
      .declare = [](Options&) -> Action { return [](Shell& shell) { return list_devices(shell); }; },
      .children = {validate_command(), calibrate_command()},
  };
}

}  // namespace ergon::app
