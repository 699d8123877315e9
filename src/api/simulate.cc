#include "systolic/simulate.h"

#include <cmath>
#include <ergon/simulate.h>

#include <fmt/format.h>

#include "api/access.h"
#include "graph/topology.h"
#include "systolic/catalog/catalog.h"
#include "systolic/energy.h"
#include "systolic/run_totals.h"
#include "systolic/setup/setup.h"

namespace ergon {
namespace {

systolic::Dataflow internal_dataflow(Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::weight_stationary:
      return systolic::Dataflow::weight_stationary;
    case Dataflow::input_stationary:
      return systolic::Dataflow::input_stationary;
    case Dataflow::output_stationary:
      break;
  }
  return systolic::Dataflow::output_stationary;
}

Dataflow public_dataflow(systolic::Dataflow dataflow) {
  switch (dataflow) {
    case systolic::Dataflow::weight_stationary:
      return Dataflow::weight_stationary;
    case systolic::Dataflow::input_stationary:
      return Dataflow::input_stationary;
    case systolic::Dataflow::output_stationary:
      break;
  }
  return Dataflow::output_stationary;
}

systolic::Semantics internal_semantics(Semantics semantics) {
  switch (semantics) {
    case Semantics::v2:
      return systolic::Semantics::v2;
    case Semantics::v2_2021:
      return systolic::Semantics::v2_2021;
    case Semantics::ergon:
      return systolic::Semantics::ergon;
    case Semantics::v3:
      break;
  }
  return systolic::Semantics::v3;
}

std::optional<systolic::AccessEnergies> internal_energies(const std::optional<AccessEnergies>& from) {
  if (!from) return std::nullopt;
  return systolic::AccessEnergies{from->mac, from->ifmap_word, from->filter_word, from->ofmap_word,
                                  from->memory_word};
}

systolic::Machine machine_of(const Accelerator& from) {
  return {{from.rows, from.columns},
          internal_dataflow(from.dataflow),
          {from.ifmap_words, from.filter_words, from.ofmap_words}};
}

Result<systolic::MemoryPort> memory_port_of(const Accelerator& accelerator, Semantics semantics) {
  if (!accelerator.words_per_cycle) return systolic::MemoryPort::as_needed();
  const double words = *accelerator.words_per_cycle;
  if (std::isnan(words)) return fail(Errc::invalid_input, "words_per_cycle is not a number");
  return systolic::port_of(words, internal_semantics(semantics));
}

// A topology file is read as SCALE-Sim does: a name with "DP" is split by channels.
Result<std::vector<systolic::Layer>> array_layers(const Network& network, LayerForm form) {
  const graph::Network& loaded = Access::state(network).network;
  const auto topology =
      graph::topology_of(loaded, form == LayerForm::products ? graph::TopologyForm::products
                                                             : graph::TopologyForm::convolutions);
  if (!topology) return topology.error();
  return systolic::layers_of(*topology, Access::state(network).source.is_topology_file());
}

void set_energy(SimulatedLayer& layer, const systolic::LayerEnergy& energy) {
  layer.compute_energy = energy.compute;
  layer.scratchpad_energy = energy.scratchpads;
  layer.memory_energy = energy.memory;
}

SimulatedLayer simulated_layer(const systolic::LayerRun& run, const Accelerator& accelerator) {
  SimulatedLayer to;
  to.name = run.name;
  to.macs = run.macs;
  to.cycles = run.timing.total_cycles;
  to.stall_cycles = run.timing.stall_cycles;
  to.cycles_with_prefetch = run.timing.cycles_with_prefetch;
  to.utilization = run.overall_utilization();
  to.mapping_efficiency = run.mapping_efficiency;
  to.ifmap_words = run.timing.dram_ifmap.words;
  to.filter_words = run.timing.dram_filter.words;
  to.ofmap_words = run.timing.dram_ofmap.words;
  if (accelerator.clock) to.time = systolic::duration(to.cycles, *accelerator.clock);
  if (const auto energies = internal_energies(accelerator.energies))
    set_energy(to, systolic::energy_of(run, *energies));
  return to;
}

SimulatedLayer simulated_total(const std::vector<systolic::LayerRun>& runs, const Accelerator& accelerator,
                               const std::vector<SimulatedLayer>& layers) {
  const auto energies = internal_energies(accelerator.energies);
  const systolic::RunTotals totals = systolic::totals_of(runs, energies);
  SimulatedLayer to;
  to.name = "all layers";
  to.macs = totals.macs;
  to.cycles = totals.cycles;
  to.stall_cycles = totals.stall_cycles;
  to.cycles_with_prefetch = totals.cycles_with_prefetch;
  to.utilization = totals.utilization;
  for (const SimulatedLayer& each : layers) {
    to.ifmap_words += each.ifmap_words;
    to.filter_words += each.filter_words;
    to.ofmap_words += each.ofmap_words;
  }
  if (accelerator.clock) to.time = systolic::duration(to.cycles, *accelerator.clock);
  if (energies) set_energy(to, totals.energy);
  return to;
}

}  // namespace

std::string_view name_of(Dataflow dataflow) { return systolic::name_of(internal_dataflow(dataflow)); }
std::string_view name_of(Semantics semantics) { return systolic::name_of(internal_semantics(semantics)); }

Result<Accelerator> find_accelerator(const std::string& name_or_file, const AcceleratorOptions& options) {
  const auto found = systolic::find_accelerator(name_or_file);
  if (!found) return found.error();
  if (options.clock && !(*options.clock > Hertz{0}))
    return fail(Errc::invalid_input, "clock: {} Hz is not above 0", options.clock->si());
  const auto& [array, dataflow, scratchpads] = found->machine;
  systolic::SetupRequest request{
      .accelerator = name_or_file, .memory = options.memory, .clock = options.clock};
  request.array = {options.rows.value_or(array.rows), options.columns.value_or(array.columns)};
  if (options.dataflow) request.dataflow = internal_dataflow(*options.dataflow);
  request.scratchpads = {options.ifmap_words.value_or(scratchpads.ifmap),
                         options.filter_words.value_or(scratchpads.filter),
                         options.ofmap_words.value_or(scratchpads.ofmap)};
  request.semantics = systolic::Semantics::ergon;  // any bandwidth
  const auto setup = systolic::resolve(request);
  if (!setup) return setup.error();

  Accelerator to;
  to.name = found->name;
  to.rows = setup->machine.array.rows;
  to.columns = setup->machine.array.columns;
  to.dataflow = public_dataflow(setup->machine.dataflow);
  to.ifmap_words = setup->machine.scratchpads.ifmap;
  to.filter_words = setup->machine.scratchpads.filter;
  to.ofmap_words = setup->machine.scratchpads.ofmap;
  to.words_per_cycle = setup->port.channel_words;
  to.clock = setup->clock;
  if (const auto& energies = setup->energies) {
    to.energies = AccessEnergies{energies->mac, energies->ifmap_word, energies->filter_word,
                                 energies->ofmap_word, energies->memory_word};
  }
  return to;
}

std::vector<std::string> accelerator_names() { return systolic::accelerator_names(); }
std::vector<std::string> memory_names() { return systolic::memory_names(); }

Result<SimulatedNetwork> simulate_network(const Network& network, const Accelerator& accelerator,
                                          const SimulateOptions& options) {
  const systolic::Machine machine = machine_of(accelerator);
  if (auto fits = machine.check(); !fits) return fits.error();
  const auto port = memory_port_of(accelerator, options.semantics);
  if (!port) return port.error();
  const auto layers = array_layers(network, options.form);
  if (!layers) return layers.error();
  systolic::ScheduleCache cache;
  const auto runs = systolic::simulate(*layers, machine, *port, internal_semantics(options.semantics), cache,
                                       options.threads, options.stop);
  if (!runs) return runs.error();
  SimulatedNetwork to;
  for (const systolic::LayerRun& run : *runs) to.layers.push_back(simulated_layer(run, accelerator));
  to.total = simulated_total(*runs, accelerator, to.layers);
  return to;
}

}  // namespace ergon
