#include "systolic/setup/setup.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/builtin_files.h"
#include "base/contract.h"
#include "base/file.h"
#include "base/number_text.h"
#include "base/units_text.h"
#include "systolic/scalesim/config.h"

namespace ergon::systolic {
namespace {

Result<> override_machine(Machine& machine, const SetupRequest& request) {
  if (request.array) machine.array = *request.array;
  if (request.dataflow) machine.dataflow = *request.dataflow;
  if (request.scratchpads) machine.scratchpads = *request.scratchpads;
  return machine.check();
}

// Names the folder of a run by its settings, so that different runs get different folders.
std::string run_name(const SetupRequest& request, const Accelerator& accelerator, const Memory& memory) {
  std::string name =
      fmt::format("{}_{}", accelerator.name, request.bandwidth ? request.bandwidth->text : memory.name);
  if (request.array) name += "_" + to_text(*request.array);
  if (request.dataflow) name += fmt::format("_{}", name_of(*request.dataflow));
  if (request.scratchpads) name += "_" + to_text(*request.scratchpads);
  if (request.clock) name += "_" + to_text(*request.clock);
  if (request.semantics != Semantics::v3) name += fmt::format("_{}", name_of(request.semantics));
  for (char& c : name) {
    if (c == '/' || c == ' ') c = '-';
  }
  return name;
}

}  // namespace

std::optional<std::string> Setup::bandwidth_memory() const {
  if (!uses_memory_bandwidth) return std::nullopt;
  return memory->name;
}

std::string Setup::machine_text() const {
  return fmt::format("{} x {} {}, scratchpads {} Ki words", machine.array.rows, machine.array.columns,
                     name_of(machine.dataflow), to_text(machine.scratchpads));
}

std::string Setup::port_text() const {
  const std::string from = uses_memory_bandwidth ? fmt::format(" ({})", memory->name)
                           : memory              ? fmt::format(" (energy of {})", memory->name)
                                                 : "";
  if (port.calculated) return "calculated bandwidth" + from;
  if (semantics == Semantics::ergon) {
    return fmt::format("{} words per cycle for all operands{}", grouped_text(port.channel_words), from);
  }
  const PortWords& p = port.ports;
  if (p.ifmap == p.filter && p.ifmap == p.ofmap) {
    return fmt::format("{} words per cycle for each operand{}", p.ifmap, from);
  }
  return fmt::format("{}/{}/{} words per cycle{}", p.ifmap, p.filter, p.ofmap, from);
}

std::string Setup::report_folder(const std::string& network) const {
  if (!accelerator) return name;
  std::string folder = fmt::format("{}_{}", network, name);
  std::replace(folder.begin(), folder.end(), '/', '-');
  return folder;
}

Result<Setup> resolve(const SetupRequest& request) {
  auto accelerator = find_accelerator(request.accelerator.value_or(kDefaultAccelerator));
  if (!accelerator) return accelerator.error();
  const auto memory = find_memory(request.memory.value_or(accelerator->memory));
  if (!memory) return request.memory ? memory.error() : memory.error().in(accelerator->name);
  if (const auto fits = override_machine(accelerator->machine, request); !fits) return fits.error();
  Setup setup{.name = run_name(request, *accelerator, *memory),
              .machine = accelerator->machine,
              .semantics = request.semantics};
  setup.clock = request.clock.value_or(accelerator->clock);
  if (!(setup.clock->si() > 0)) return fail(Errc::invalid_input, "--clock must be positive");
  const auto port = request.bandwidth
                        ? port_of(*request.bandwidth, request.semantics, &*accelerator, setup.clock)
                        : port_of(words_per_cycle(*accelerator, *memory, *setup.clock), request.semantics);
  if (!port) return port.error();
  setup.port = *port;
  setup.uses_memory_bandwidth = !request.bandwidth;
  const auto table = find_energy_table(accelerator->energy);
  if (!table) return table.error().in(accelerator->name);
  const auto energies = access_energies(*accelerator, *table, *memory);
  if (!energies) return energies.error();
  setup.energies = *energies;
  setup.energy_table = table->name;
  for (const auto& name : {request.accelerator, request.memory}) {
    if (name && is_json_file(*name)) setup.files.push_back(*name);
  }
  setup.accelerator = std::move(*accelerator);
  setup.memory = *memory;
  return setup;
}

Result<Setup> resolve_config(const std::string& file, const SetupRequest& request) {
  ERGON_EXPECTS(!request.accelerator && !request.memory && !request.clock);
  const auto text = read_file(file);
  if (!text) return text.error();
  auto config = scalesim::parse_config(*text, file);
  if (!config) return config.error();
  Setup setup{.name = config->run_name, .machine = config->machine, .semantics = request.semantics};
  setup.files = {file};
  setup.warnings = std::move(config->warnings);
  if (const auto fits = override_machine(setup.machine, request); !fits) return fits.error();
  if (request.bandwidth) {
    const auto port = port_of(*request.bandwidth, setup.semantics, nullptr, std::nullopt);
    if (!port) return port.error();
    setup.port = *port;
    return setup;
  }
  setup.port = {!config->user_bandwidth, config->ports(setup.semantics),
                static_cast<double>(config->bandwidth.value_or(0))};
  if (config->user_bandwidth && setup.semantics == Semantics::v3 && !config->ifmap_bank_bandwidth) {
    setup.warnings.push_back(fmt::format(
        "{}: no IfmapSRAMBankBandwidth in [layout]; v3 then reads {} words per cycle and ignores Bandwidth",
        file, setup.port.ports.ifmap));
  }
  return setup;
}

}  // namespace ergon::systolic
