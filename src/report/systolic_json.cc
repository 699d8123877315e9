#include "report/systolic_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "systolic/run_totals.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace systolic;

Json accesses_json(const Accesses& accesses) {
  return {{"words", accesses.words}, {"start_cycle", accesses.start}, {"stop_cycle", accesses.stop}};
}

Json energy_json(const LayerEnergy& energy) {
  return {{"total_joules", energy.total().si()},
          {"compute_joules", energy.compute.si()},
          {"scratchpads_joules", energy.scratchpads.si()},
          {"memory_joules", energy.memory.si()}};
}

void put_time(Json& json, std::int64_t cycles_taken, std::optional<Hertz> clock) {
  if (clock) json["seconds"] = duration(cycles_taken, *clock).si();
}

Json energies_from_json(const Setup& setup) {
  return {{"table", setup.energy_table}, {"memory", setup.memory->name}};
}

}  // namespace

Json machine_json(const Machine& machine) {
  return {{"rows", machine.array.rows},
          {"columns", machine.array.columns},
          {"dataflow", name_of(machine.dataflow)},
          {"scratchpad_words",
           {{"ifmap", machine.scratchpads.ifmap},
            {"filter", machine.scratchpads.filter},
            {"ofmap", machine.scratchpads.ofmap}}}};
}

Json port_json(const MemoryPort& port, Semantics semantics) {
  if (port.calculated) return {{"mode", "calculated"}};
  if (semantics == Semantics::ergon) return {{"mode", "shared"}, {"words_per_cycle", port.channel_words}};
  return {{"mode", "per_operand"},
          {"words_per_cycle",
           {{"ifmap", port.ports.ifmap}, {"filter", port.ports.filter}, {"ofmap", port.ports.ofmap}}}};
}

Json layer_run_json(const LayerRun& run, std::optional<Hertz> clock,
                    const std::optional<AccessEnergies>& energies) {
  const LayerTiming& t = run.timing;
  Json json = {{"name", run.name},
               {"macs", run.macs},
               {"cycles", t.total_cycles},
               {"stall_cycles", t.stall_cycles},
               {"cycles_with_prefetch", t.cycles_with_prefetch}};
  put_time(json, t.total_cycles, clock);
  json["utilization_percent"] = run.overall_utilization();
  json["mapping_efficiency_percent"] = run.mapping_efficiency;
  json["compute_utilization_percent"] = run.compute_utilization;
  json["scratchpad"] = {{"ifmap", accesses_json(t.sram_ifmap)},
                        {"filter", accesses_json(t.sram_filter)},
                        {"ofmap", accesses_json(t.sram_ofmap)}};
  json["memory"] = {{"ifmap", accesses_json(t.dram_ifmap)},
                    {"filter", accesses_json(t.dram_filter)},
                    {"ofmap", accesses_json(t.dram_ofmap)}};
  if (energies) json["energy"] = energy_json(energy_of(run, *energies));
  return json;
}

Json run_totals_json(std::span<const LayerRun> runs, std::optional<Hertz> clock,
                     const std::optional<AccessEnergies>& energies) {
  const RunTotals totals = totals_of(runs, energies);
  Json json = {{"layers", runs.size()},
               {"macs", totals.macs},
               {"cycles", totals.cycles},
               {"stall_cycles", totals.stall_cycles},
               {"cycles_with_prefetch", totals.cycles_with_prefetch}};
  put_time(json, totals.cycles, clock);
  json["utilization_percent"] = totals.utilization;
  json["memory_words"] = totals.memory_words;
  if (energies) json["energy"] = energy_json(totals.energy);
  return json;
}

Json simulation_json(const std::string& network, const Setup& setup, Engine engine,
                     std::span<const LayerRun> runs) {
  Json layers = Json::array();
  for (const LayerRun& run : runs) layers.push_back(layer_run_json(run, setup.clock, setup.energies));
  Json body = {{"network", network},
               {"semantics", name_of(setup.semantics)},
               {"engine", name_of(engine)},
               {"accelerator", nullptr},
               {"memory", nullptr},
               {"clock_hertz", nullptr},
               {"machine", machine_json(setup.machine)},
               {"bandwidth", port_json(setup.port, setup.semantics)}};
  if (setup.accelerator) body["accelerator"] = setup.accelerator->name;
  if (const auto memory = setup.bandwidth_memory()) body["memory"] = *memory;
  if (setup.clock) body["clock_hertz"] = setup.clock->si();
  if (setup.energies) body["energies_from"] = energies_from_json(setup);
  body["totals"] = run_totals_json(runs, setup.clock, setup.energies);
  body["layers"] = std::move(layers);
  return body;
}

Json design_points_json(const std::string& network, const std::vector<DesignPoint>& points,
                        std::size_t traced_layers) {
  Json rows = Json::array();
  for (const DesignPoint& point : points) {
    rows.push_back({{"machine", machine_json(point.setup.machine)},
                    {"memory", nullptr},
                    {"bandwidth", port_json(point.setup.port, point.setup.semantics)},
                    {"cycles", point.totals.cycles},
                    {"stall_cycles", point.totals.stall_cycles},
                    {"utilization_percent", point.totals.utilization},
                    {"memory_words", point.totals.memory_words},
                    {"seconds", point.time().si()},
                    {"energy_joules", point.totals.energy.total().si()},
                    {"energies_from", energies_from_json(point.setup)}});
    if (const auto memory = point.setup.bandwidth_memory()) rows.back()["memory"] = *memory;
  }
  const Setup& first = points.front().setup;
  return {{"network", network},
          {"accelerator", first.accelerator->name},
          {"semantics", name_of(first.semantics)},
          {"traced_layers", traced_layers},
          {"points", std::move(rows)}};
}

std::string design_points_csv(const std::vector<DesignPoint>& points) {
  std::string text =
      "array_rows,array_columns,dataflow,ifmap_words,filter_words,ofmap_words,memory,words_per_cycle,cycles,"
      "stall_cycles,utilization_percent,memory_words,seconds,energy_joules,simulated\n";
  for (const DesignPoint& point : points) {
    const Machine& m = point.setup.machine;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},true\n", m.array.rows, m.array.columns,
                        name_of(m.dataflow), m.scratchpads.ifmap, m.scratchpads.filter, m.scratchpads.ofmap,
                        point.setup.bandwidth_memory().value_or(""),
                        words_text(point.setup.port, point.setup.semantics), point.totals.cycles,
                        point.totals.stall_cycles, point.totals.utilization, point.totals.memory_words,
                        point.time().si(), point.totals.energy.total().si());
  }
  return text;
}

}  // namespace ergon::report
