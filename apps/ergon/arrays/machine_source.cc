#include "arrays/machine_source.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "systolic/scalesim/config.h"

namespace ergon::app {
namespace {

using namespace systolic;

constexpr std::int64_t kKibi = 1024;
constexpr double kMaxWords = 1e9, kMinWords = 1e-6;  // per cycle

template <typename T, typename Parse>
Options::Parser taking(std::optional<T>& target, const Parse& parse) {
  return [&target, parse](std::string_view text) -> Result<> {
    const auto value = parse(text);
    if (!value) return value.error();
    target = *value;
    return {};
  };
}

}  // namespace

Result<Array> parse_array(std::string_view text) {
  const auto parts = split(text, 'x');
  const auto rows = parts.size() == 2 ? parse_int64(parts[0]) : std::nullopt;
  const auto columns = parts.size() == 2 ? parse_int64(parts[1]) : std::nullopt;
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (!rows || !columns || *rows < 1 || *columns < 1 || *rows > kMost || *columns > kMost) {
    return fail(Errc::invalid_input, "\"{}\" is not ROWSxCOLS (example: 64x64)", printable(text));
  }
  return Array{*rows, *columns};
}

Result<Scratchpads> parse_scratchpads(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (const std::string_view part : split(text, '/')) {
    const auto size = parse_int64(part);
    if (size && *size >= 1 && *size <= kKibi * kKibi * kKibi) sizes.push_back(*size * kKibi);
  }
  if (sizes.size() != 3 || split(text, '/').size() != 3) {
    return fail(Errc::invalid_input, "\"{}\" is not IFMAP/FILTER/OFMAP in KiB (example: 1024/2048/1024)",
                printable(text));
  }
  return Scratchpads{sizes[0], sizes[1], sizes[2]};
}

std::string scratchpads_text(const Scratchpads& s) {
  const auto kib = [](std::int64_t words) { return shortest_text(static_cast<double>(words) / kKibi); };
  return fmt::format("{}/{}/{}", kib(s.ifmap), kib(s.filter), kib(s.ofmap));
}

std::string Setup::machine_text() const {
  return fmt::format("{} x {} {}, scratchpads {} Ki words", machine.array.rows, machine.array.columns,
                     name_of(machine.dataflow), scratchpads_text(machine.scratchpads));
}

std::string Setup::port_text() const {
  if (port.calculated) return "calculated bandwidth";
  const std::string from = memory ? fmt::format(" ({})", *memory) : "";
  if (semantics == Semantics::ergon) {
    return fmt::format("{:.4g} words per cycle for all operands{}", port.channel_words, from);
  }
  const PortWords& p = port.ports;
  if (p.ifmap == p.filter && p.ifmap == p.ofmap) {
    return fmt::format("{} words per cycle for each operand{}", p.ifmap, from);
  }
  return fmt::format("{}/{}/{} words per cycle{}", p.ifmap, p.filter, p.ofmap, from);
}

Result<MemoryPort> port_of(double words_per_cycle, Semantics semantics) {
  if (words_per_cycle < kMinWords) {
    return fail(Errc::invalid_input, "{:.3g} words per cycle is too small; the minimum is {:.0e}",
                words_per_cycle, kMinWords);
  }
  if (words_per_cycle > kMaxWords) {
    return fail(Errc::invalid_input, "{:.3g} words per cycle is too large; the maximum is {:.0e}",
                words_per_cycle, kMaxWords);
  }
  if (semantics != Semantics::ergon && words_per_cycle < 1) {
    return fail(Errc::invalid_input,
                "{:.3g} words per cycle: SCALE-Sim needs at least 1; --semantics ergon accepts fractions",
                words_per_cycle);
  }
  return MemoryPort::of(words_per_cycle);
}

Result<> check_bandwidth(std::string_view text) {
  if (text == "calc") return {};
  const auto words = parse_double(text);
  const auto rate = parse_quantity<BytesPerSecond>(text, "bandwidth");
  if (words ? *words >= kMinWords && *words <= kMaxWords : rate && rate->si() > 0) return {};
  return fail(Errc::invalid_input,
              "\"{}\" is not a bandwidth: words per cycle up to {:.0e}, a rate (28GB/s), or calc",
              printable(text), kMaxWords);
}

Result<MemoryPort> parse_bandwidth(std::string_view text, Semantics semantics, const Accelerator* accelerator,
                                   std::optional<Hertz> clock) {
  if (const auto fits = check_bandwidth(text); !fits) return fits.error();
  if (text == "calc") return MemoryPort::as_needed();
  if (const auto words = parse_double(text)) return port_of(*words, semantics);
  if (accelerator == nullptr || !clock) {
    return fail(Errc::invalid_input, "{}: the clock is unknown without --accelerator; give words per cycle",
                printable(text));
  }
  const double rate = parse_quantity<BytesPerSecond>(text, "bandwidth")->si();
  return port_of(rate / (clock->si() * static_cast<double>(accelerator->memory_bytes_per_word)), semantics);
}

std::string accelerator_help() {
  std::string text;
  for (const std::string& name : accelerator_names()) {
    text += name + (name == kDefaultAccelerator ? " (default), " : ", ");
  }
  return text + "or a .json file";
}

std::string memory_help() { return fmt::format("{}, or a .json file", fmt::join(memory_names(), ", ")); }

void MachineSource::declare(Options& options) {
  options.text("-c,--config", config, "FILE", "SCALE-Sim configuration file");
  options.text("--accelerator", accelerator, "NAME", accelerator_help());
  options.text("--memory", memory, "NAME", memory_help());
  options.parsed("--array", "RxC", "rows x columns of processing elements", taking(array, parse_array));
  options.parsed("--dataflow", "os|ws|is", "stationary operand: outputs, weights or inputs",
                 taking(dataflow, dataflow_of));
  options.parsed("--scratchpads", "I/F/O", "size of ifmap, filter and ofmap scratchpads in KiB",
                 taking(scratchpads, parse_scratchpads));
  options.parsed("--bandwidth", "N", "words per cycle, a rate (28GB/s), or calc",
                 [this](std::string_view text) -> Result<> {
                   bandwidth = std::string(text);
                   return check_bandwidth(text);
                 });
  options.quantity("--clock", clock, "clock of the array (default: the accelerator's)");
  options.choice("--semantics", semantics, semantics_names(), "timing rules (default: v3)");
}

Result<> MachineSource::override_machine(Setup& setup) const {
  if (array) setup.machine.array = *array;
  if (dataflow) setup.machine.dataflow = *dataflow;
  if (scratchpads) setup.machine.scratchpads = *scratchpads;
  return setup.machine.check();
}

Result<Setup> MachineSource::resolve() const {
  if (config && (accelerator || memory || clock)) {
    return fail(Errc::invalid_input,
                "-c and {} exclude each other; the configuration file describes the array",
                accelerator ? "--accelerator"
                : memory    ? "--memory"
                            : "--clock");
  }
  return config ? resolve_config() : resolve_accelerator();
}

Result<Setup> MachineSource::resolve_config() const {
  const auto text = read_file(*config);
  if (!text) return text.error();
  auto parsed = scalesim::parse_config(*text, *config);
  if (!parsed) return parsed.error();
  Setup setup{.name = parsed->run_name, .machine = parsed->machine, .semantics = *semantics_of(semantics)};
  setup.files = {*config};
  setup.remarks = std::move(parsed->warnings);
  if (const auto fits = override_machine(setup); !fits) return fits.error();
  if (bandwidth) {
    const auto port = parse_bandwidth(*bandwidth, setup.semantics, nullptr, std::nullopt);
    if (!port) return port.error();
    setup.port = *port;
    return setup;
  }
  setup.port = {!parsed->user_bandwidth, parsed->ports(setup.semantics),
                static_cast<double>(parsed->bandwidth.value_or(0))};
  if (parsed->user_bandwidth && setup.semantics == Semantics::v3 && !parsed->ifmap_bank_bandwidth) {
    setup.remarks.push_back(fmt::format(
        "{}: no IfmapSRAMBankBandwidth in [layout]; v3 then reads {} words per cycle and ignores Bandwidth",
        *config, setup.port.ports.ifmap));
  }
  return setup;
}

// Names the folder of a run by its options, so that different runs get different folders.
std::string MachineSource::run_name(const std::string& accelerator_name,
                                    const std::string& memory_name) const {
  std::string name = fmt::format("{}_{}", accelerator_name, bandwidth.value_or(memory_name));
  if (array) name += fmt::format("_{}x{}", array->rows, array->columns);
  if (dataflow) name += fmt::format("_{}", name_of(*dataflow));
  if (scratchpads) name += "_" + scratchpads_text(*scratchpads);
  if (clock) name += "_" + to_text(*clock);
  if (semantics != "v3") name += "_" + semantics;
  for (char& c : name) {
    if (c == '/' || c == ' ') c = '-';
  }
  return name;
}

Result<Setup> MachineSource::resolve_accelerator() const {
  const auto chosen = find_accelerator(accelerator.value_or(kDefaultAccelerator));
  if (!chosen) return chosen.error();
  const auto attached = find_memory(memory.value_or(chosen->memory));
  if (!attached) return memory ? attached.error() : attached.error().in(chosen->name);
  Accelerator used = *chosen;
  Setup setup{.machine = used.machine, .semantics = *semantics_of(semantics)};
  if (const auto fits = override_machine(setup); !fits) return fits.error();
  used.machine = setup.machine;
  setup.clock = clock.value_or(used.clock);
  if (!(setup.clock->si() > 0)) return fail(Errc::invalid_input, "--clock must be positive");
  setup.accelerator = used.name;
  if (!bandwidth) setup.memory = attached->name;
  setup.name = run_name(used.name, attached->name);
  const auto port = !bandwidth ? port_of(words_per_cycle(used, *attached, *setup.clock), setup.semantics)
                               : parse_bandwidth(*bandwidth, setup.semantics, &used, setup.clock);
  if (!port) return port.error();
  setup.port = *port;
  const auto table = find_energy_table(used.energy);
  if (!table) return table.error().in(used.name);
  const auto energies = access_energies(used, *table, *attached);
  if (!energies) return energies.error();
  setup.energies = *energies;
  setup.energy_table = table->name;
  setup.energy_memory = attached->name;
  for (const auto& file : {accelerator, memory}) {
    if (file && lower(*file).ends_with(".json")) setup.files.push_back(*file);
  }
  return setup;
}

}  // namespace ergon::app
