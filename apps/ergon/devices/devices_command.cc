#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "device/twin/catalogue.h"
#include "devices/device_commands.h"
#include "devices/machine.h"
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

// The reading that follows the load most closely.
Result<Watts> newest_power(device::Device& gpu) {
  using device::PowerField;
  for (const PowerField field : {PowerField::instant, PowerField::usage, PowerField::average}) {
    if (gpu.capabilities().has(field)) return gpu.power(field);
  }
  return fail(Errc::unsupported, "no power reading");
}

std::string use_text(device::Device& gpu) {
  const auto use = gpu.utilisation();
  return use ? fmt::format("{:.0f} %", 100 * use->compute) : "-";
}

std::string memory_text(device::Device& gpu) {
  const auto memory = gpu.memory();
  constexpr double kGibi = 1073741824.0;
  return memory ? fmt::format("{:.1f} of {:.0f} GiB", memory->used.si() / kGibi, memory->total.si() / kGibi)
                : "-";
}

std::string machine_text(const Machine& machine, const report::TableStyle& style) {
  if (machine.devices().empty()) return "";
  report::TextTable table({{"device"},
                           {"product"},
                           {"power", Align::right},
                           {"limit", Align::right},
                           {"core clock", Align::right},
                           {"temp.", Align::right},
                           {"busy", Align::right},
                           {"memory", Align::right}});
  std::string identities;
  for (const auto& gpu : machine.devices()) {
    const auto limits = gpu->power_limits();
    const device::Identity& who = gpu->identity();
    table.row({who.id, who.name + (gpu->simulated() ? " (simulated)" : ""), or_dash(newest_power(*gpu)),
               limits ? to_text(limits->now) : "-", or_dash(gpu->clock(device::ClockDomain::core)),
               or_dash(gpu->temperature()), use_text(*gpu), memory_text(*gpu)});
    identities += fmt::format("{}  {}\n", who.id, who.uuid);
  }
  return "This machine\n\n" + table.text(style) + "\n" + identities + "\n";
}

std::string twins_text(const std::vector<device::Specification>& gpus, const report::TableStyle& style) {
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
         table.text(style);
}

Result<int> list_devices(Shell& shell) {
  std::vector<device::Specification> twins;
  for (const std::string& name : device::device_names()) {
    auto gpu = device::find_device(name);
    if (!gpu) return gpu.error();
    twins.push_back(std::move(*gpu));
  }
  const Machine machine = Machine::open(shell);
  for (const Error& problem : machine.problems()) shell.note(problem.message);
  Json list = Json::array(), problems = Json::array();
  for (const auto& gpu : machine.devices()) list.push_back(report::live_device_json(*gpu));
  for (const device::Specification& gpu : twins) list.push_back(report::device_json(gpu));
  for (const Error& problem : machine.problems()) problems.push_back(problem.message);
  const auto printed =
      shell.json
          ? shell.print_document("ergon.devices/1", {},
                                 {{"devices", std::move(list)}, {"problems", std::move(problems)}}, true)
          : shell.print(machine_text(machine, shell.table_style()) + twins_text(twins, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command devices_command() {
  return {
      .name = "devices",
      .summary = "the GPUs and processors of this machine, and the twins",
      .description =
          "Without a command, a list: what NVML and RAPL show of this machine, and the twins. A twin is a "
          "physical model of a GPU: how long, how hot, how many watts, at any clock, batch and power limit.",
      .declare = [](Options&) -> Action { return [](Shell& shell) { return list_devices(shell); }; },
      .children = {validate_command(), calibrate_command()},
  };
}

}  // namespace ergon::app
