#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array.h"

namespace ergon::systolic {

// A memory outside of the accelerator, from data/memories.
struct Memory {
  std::string name, title;
  BytesPerSecond peak, effective;
  Joules energy_per_bit;
  std::optional<Watts> background;  // what it draws without being read or written
  double background_scaling = 0;    // the share of that which follows the bandwidth it is set to
  std::vector<std::string> sources;
};

// What one operation costs in one technology, from data/energies.
struct EnergyTable {
  std::string name, title;
  std::map<std::string, Joules> mac;  // by the kind of number: "int8", "bf16", ...
  struct Scratchpad {
    Bytes capacity;
    Joules per_bit;
  };
  std::vector<Scratchpad> scratchpads;  // ascending
  std::vector<std::string> sources;

  // Of one access, for a capacity between, below or above the listed ones: along straight lines in
  // logarithms.
  Joules scratchpad_per_bit(Bytes capacity) const;
};

// An accelerator, from data/accelerators.
struct Accelerator {
  std::string name, title;
  Machine machine;
  Hertz clock;
  std::int64_t scratchpad_bytes_per_word = 1;  // SCALE-Sim's words are bytes
  std::int64_t memory_bytes_per_word = 1;      // what a word is on its way from and to memory
  double memory_share = 1;                     // of a memory's bandwidth, where several arrays share it
  std::string memory;                          // the usual one
  std::string energy;                          // a table in data/energies
  std::string mac;                             // the kind of number that it multiplies
  std::optional<Watts> array_power;            // dynamic, of the array at `clock` while it works
  std::map<std::string, std::int64_t> calibrated_words_per_cycle;  // by memory, at `clock`
  std::vector<std::string> sources;
};

// Words a cycle that a memory gives at a clock: what was calibrated, or effective bandwidth, share and word
// size.
double words_per_cycle(const Accelerator& accelerator, const Memory& memory, Hertz clock);

// By name from what is built in (the files of data/), or from a file when the name ends in ".json".
Result<Accelerator> find_accelerator(const std::string& name_or_file);
Result<Memory> find_memory(const std::string& name_or_file);
Result<EnergyTable> find_energy_table(const std::string& name_or_file);

// What is built in.
std::vector<std::string> accelerator_names();
std::vector<std::string> memory_names();

// The same from text; errors name the source and the field.
Result<Accelerator> parse_accelerator(std::string_view json, std::string_view source);
Result<Memory> parse_memory(std::string_view json, std::string_view source);
Result<EnergyTable> parse_energy_table(std::string_view json, std::string_view source);

}  // namespace ergon::systolic
