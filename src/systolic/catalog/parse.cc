// The JSON files of data/accelerators, data/memories and data/energies.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/si_prefixes.h"
#include "systolic/catalog/catalog.h"

namespace ergon::systolic {
namespace {

constexpr std::int64_t kKibi = 1024;

}  // namespace

Result<Memory> parse_memory(std::string_view json, std::string_view source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  Memory memory;
  memory.name = fields->text("name");
  memory.title = fields->text("title");
  memory.peak = BytesPerSecond{fields->positive("peak_gb_per_s") * kGiga};
  memory.effective = BytesPerSecond{fields->positive("effective_gb_per_s") * kGiga};
  memory.energy_per_bit = Joules{fields->positive("energy_pj_per_bit") * kPico};
  if (!fields->raw("background_w").is_null()) memory.background = Watts{fields->positive("background_w")};
  if (!fields->raw("background_scaling").is_null())
    memory.background_scaling = fields->share("background_scaling");
  memory.sources = fields->texts("sources");
  if (memory.effective > memory.peak) fields->complain("effective_gb_per_s", "no more than the peak");
  if (const auto error = fields->error()) return *error;
  return memory;
}

Result<EnergyTable> parse_energy_table(std::string_view json, std::string_view source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  EnergyTable table;
  table.name = fields->text("name");
  table.title = fields->text("title");
  for (const auto& [kind, pj] : fields->numbers("mac_pj")) table.mac[kind] = Joules{pj * kPico};
  if (table.mac.empty()) fields->complain("mac_pj", "at least one kind of number");
  const nlohmann::json& points = fields->raw("scratchpad");
  for (const auto& point : points.is_array() ? points : nlohmann::json::array()) {
    const auto number = [&](const char* name) {
      const auto found = point.is_object() ? point.find(name) : point.end();
      return point.is_object() && found != point.end() && Fields::is_sensible(*found) ? found->get<double>()
                                                                                      : 0.0;
    };
    table.scratchpads.push_back(
        {Bytes{number("kib") * kKibi}, Joules{number("pj_per_64_bits") * kPico / 64}});
  }
  const bool ascending =
      std::is_sorted(table.scratchpads.begin(), table.scratchpads.end(),
                     [](const auto& a, const auto& b) { return a.capacity <= b.capacity; });
  const bool positive =
      std::all_of(table.scratchpads.begin(), table.scratchpads.end(),
                  [](const auto& point) { return point.capacity > Bytes{0} && point.per_bit > Joules{0}; });
  if (table.scratchpads.empty() || !ascending || !positive) {
    fields->complain("scratchpad", "objects with \"kib\" and \"pj_per_64_bits\", the smallest first");
  }
  table.sources = fields->texts("sources");
  if (const auto error = fields->error()) return *error;
  return table;
}

Result<Accelerator> parse_accelerator(std::string_view json, std::string_view source) {
  auto fields = Fields::parse(json, source);
  if (!fields) return fields.error();
  Accelerator accelerator;
  accelerator.name = fields->text("name");
  accelerator.title = fields->text("title");
  Machine& machine = accelerator.machine;
  machine.array = {fields->whole("array.rows", 1), fields->whole("array.columns", 1)};
  if (const auto dataflow = dataflow_of(fields->text("dataflow"))) {
    machine.dataflow = *dataflow;
  } else {
    fields->complain("dataflow", "os, ws or is");
  }
  accelerator.scratchpad_bytes_per_word = fields->whole("scratchpad_bytes_per_word", 1);
  const auto words = [&](const char* name) {
    return fields->whole(std::string("scratchpads_kib.") + name, 1) * kKibi /
           accelerator.scratchpad_bytes_per_word;
  };
  machine.scratchpads = {words("ifmap"), words("filter"), words("ofmap")};
  accelerator.memory_bytes_per_word = fields->whole("memory_bytes_per_word", 1);
  accelerator.memory_share = fields->positive("memory_share");
  if (accelerator.memory_share > 1) fields->complain("memory_share", "no more than 1");
  accelerator.clock = Hertz{fields->positive("clock_mhz") * kMega};
  accelerator.memory = fields->text("memory");
  accelerator.energy = fields->text("energy");
  accelerator.mac = fields->text("mac");
  if (!fields->raw("array_power_w").is_null())
    accelerator.array_power = Watts{fields->positive("array_power_w")};
  for (const auto& [memory, count] : fields->numbers("calibrated_words_per_cycle")) {
    accelerator.calibrated_words_per_cycle[memory] = static_cast<std::int64_t>(count);
  }
  accelerator.sources = fields->texts("sources");
  if (const auto error = fields->error()) return *error;
  if (const auto fits = machine.check(); !fits) return fits.error().in(source);
  return accelerator;
}

}  // namespace ergon::systolic
