#include "report/systolic_json.h"

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

}  // namespace ergon::report
