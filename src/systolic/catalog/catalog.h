#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array/array.h"

namespace ergon::systolic {

// An external memory, from data/memories.
struct Memory {
  std::string name, title;
  BytesPerSecond peak, effective;
  Joules energy_per_bit;
  std::optional<Watts> background;  // power without reads or writes
  double background_scaling = 0;    // share of it that scales with the configured bandwidth
  std::vector<std::string> sources;
};

// Energy per operation in one technology, from data/energies.
struct EnergyTable {
  std::string name, title;
  std::map<std::string, Joules> mac;  // by data type: "int8", "bf16", ...
  struct Scratchpad {
    Bytes capacity;
    Joules per_bit;
  };
  std::vector<Scratchpad> scratchpads;  // ascending
  std::vector<std::string> sources;

  // Energy of one access for any capacity: linear interpolation and extrapolation in logarithms.
  Joules scratchpad_per_bit(Bytes capacity) const;
};

// An accelerator, from data/accelerators.
struct Accelerator {
  std::string name, title;
  Machine machine;
  Hertz clock;
  std::int64_t scratchpad_bytes_per_word = 1;  // SCALE-Sim's words are bytes
  std::int64_t memory_bytes_per_word = 1;      // size of a word in external memory
  double memory_share = 1;                     // share of the bandwidth, if several arrays share a memory
  std::string memory;                          // the default
  std::string energy;                          // a table in data/energies
  std::string mac;                             // data type of the MACs
  std::optional<Watts> array_power;            // dynamic power of the busy array at `clock`
  std::map<std::string, std::int64_t> calibrated_words_per_cycle;  // by memory, at `clock`
  std::vector<std::string> sources;
};

// Words per cycle of a memory at a clock: the calibrated value, or effective bandwidth x share / word size.
double words_per_cycle(const Accelerator& accelerator, const Memory& memory, Hertz clock);

// The accelerator that is used if none is named.
inline constexpr const char* kDefaultAccelerator = "edge-tpu";

// A built-in entry (a file of data/) by name, or a file (is_json_file()).
Result<Accelerator> find_accelerator(const std::string& name_or_file);
Result<Memory> find_memory(const std::string& name_or_file);
Result<EnergyTable> find_energy_table(const std::string& name_or_file);

// Names of the built-in entries.
std::vector<std::string> accelerator_names();
std::vector<std::string> memory_names();

// The same from text; errors name the source and the field.
Result<Accelerator> parse_accelerator(std::string_view json, std::string_view source);
Result<Memory> parse_memory(std::string_view json, std::string_view source);
Result<EnergyTable> parse_energy_table(std::string_view json, std::string_view source);

}  // namespace ergon::systolic
