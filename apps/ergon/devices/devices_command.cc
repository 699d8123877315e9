#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "base/units_text.h"
#include "device/machine/current_power.h"
#include "device/machine/machine.h"
#include "device/twin/catalog.h"
#include "devices/device_commands.h"
#include "devices/device_options.h"
#include "report/device_json.h"
#include "report/live_device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;
using Json = nlohmann::ordered_json;

template <typename Q>
std::string or_dash(const Result<Q>& reading) {
  return reading ? to_text(*reading) : "-";
}

std::string utilization_text(device::Device& gpu) {
  const auto use = gpu.utilization();
  return use ? fmt::format("{:.0f} %", 100 * use->compute) : "-";
}

std::string memory_text(device::Device& gpu) {
  const auto memory = gpu.memory();
  return memory ? fmt::format("{:.1f} of {:.0f} GiB", memory->used.si() / kGibi, memory->total.si() / kGibi)
                : "-";
}

std::string machine_text(const device::Machine& machine, const report::TableStyle& style) {
  if (machine.devices().empty()) return "";
  report::TextTable table({{"device"},
                           {"product", Align::left, 1},
                           {"power", Align::right},
                           {"power limit", Align::right},
                           {"core clock", Align::right, 2},
                           {"temperature", Align::right, 4},
                           {"utilization", Align::right},
                           {"memory", Align::right, 3}});
  std::string identities;
  for (const auto& gpu : machine.devices()) {
    const auto limits = gpu->power_limits();
    const device::Identity& identity = gpu->identity();
    table.row({identity.id, identity.name + (gpu->simulated() ? " (simulated)" : ""),
               or_dash(device::current_power(*gpu)), limits ? to_text(limits->current) : "-",
               or_dash(gpu->clock(device::ClockDomain::core)), or_dash(gpu->temperature()),
               utilization_text(*gpu), memory_text(*gpu)});
    identities +=
        fmt::format("{}  {}{}\n", identity.id, identity.uuid, gpu->simulated() ? " (simulated)" : "");
  }
  return "This machine\n\n" + table.text(style) + "\n" + identities + "\n";
}

std::string twins_text(const std::vector<device::Specification>& gpus, const report::TableStyle& style) {
  report::TextTable table({{"device"},
                           {"product", Align::left, 1},
                           {"SMs", Align::right, 3},
                           {"core clock (MHz)", Align::right},
                           {"memory", Align::right},
                           {"bandwidth", Align::right, 2},
                           {"power limit (W)", Align::right}});
  for (const device::Specification& gpu : gpus) {
    table.row({gpu.name, gpu.title, std::to_string(gpu.multiprocessors),
               fmt::format("{:.0f}-{:.0f}", gpu.core.min.si() / 1e6, gpu.core.max.si() / 1e6),
               fmt::format("{:.0f} GiB", gpu.memory.capacity.si() / kGibi), to_text(gpu.memory.bandwidth),
               fmt::format("{:.0f}-{:.0f}", gpu.limit.min.si(), gpu.limit.max.si())});
  }
  return "Twins: simulated GPUs (accuracy: `ergon devices validate` and docs/twins.md)\n\n" +
         table.text(style);
}

Result<int> list_devices(Shell& shell) {
  std::vector<device::Specification> twins;
  for (const std::string& name : device::device_names()) {
    auto gpu = DeviceSource{name, {}}.twin();
    if (!gpu) return gpu.error();
    twins.push_back(std::move(*gpu));
  }
  const auto machine = device::Machine::open(shell.notify());
  for (const Error& problem : machine.problems()) shell.note(problem.message);
  Json list = Json::array(), problems = Json::array();
  for (const auto& gpu : machine.devices()) list.push_back(report::live_device_json(*gpu));
  for (const device::Specification& gpu : twins) list.push_back(report::device_json(gpu));
  for (const Error& problem : machine.problems()) problems.push_back(problem.message);
  const auto printed =
      shell.json
          ? shell.print_document("ergon.devices/2", {},
                                 {{"devices", std::move(list)}, {"problems", std::move(problems)}}, true)
          : shell.print_report(machine_text(machine, shell.table_style()) +
                               twins_text(twins, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command devices_command() {
  return {
      .name = "devices",
      .summary = "list the GPUs and processors of this machine, and the twins",
      .description =
          "Without a subcommand, lists the devices that NVML and RAPL find on this machine, and the twins. A "
          "twin is a physical model of a GPU: time, power and temperature at any clock, batch and power "
          "limit.",
      .declare = [](Options&) -> Action { return [](Shell& shell) { return list_devices(shell); }; },
      .children = {validate_command(), calibrate_command()},
  };
}

}  // namespace ergon::app
