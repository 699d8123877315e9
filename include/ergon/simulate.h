#pragma once

// Systolic arrays: cycles, stalls, memory traffic and energy of every layer, as SCALE-Sim computes them or
// with Ergon's own timing (docs/systolic.md compares them).
//
//   auto accelerator = ergon::find_accelerator("edge-tpu");
//   auto simulated = ergon::simulate_network(*network, *accelerator);  // simulated->total.cycles

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/export.h"
#include "ergon/network.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// The operand that stays in the array while the others stream through it.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };
ERGON_API std::string_view name_of(Dataflow dataflow);  // "os", "ws", "is"

// The timing rules of a simulation.
enum class Semantics : std::uint8_t {
  v3,       // SCALE-Sim v3 (2025): a positive stall counts twice
  v2,       // scale-sim-v2 as of 2025
  v2_2021,  // scale-sim-v2 as of December 2021: early data can subtract a cycle
  ergon,    // without the known defects, and with one memory channel shared by all operands
};
ERGON_API std::string_view name_of(Semantics semantics);

// Energy of one MAC and of one access to a word. Clock tree, control and leakage are not included.
struct AccessEnergies {
  Joules mac = {};
  Joules ifmap_word = {}, filter_word = {}, ofmap_word = {};  // of a scratchpad
  Joules memory_word = {};
};

// An array of processing elements with its scratchpads and its memory. Fill it in, or start from
// find_accelerator().
struct Accelerator {
  std::string name = {};
  std::int64_t rows = 0, columns = 0;
  Dataflow dataflow = Dataflow::output_stationary;
  // Capacities in words. Each scratchpad is double-buffered. At least 100 words and one line of the array.
  std::int64_t ifmap_words = 0, filter_words = 0, ofmap_words = 0;
  // Memory bandwidth: of each operand, in whole words, with SCALE-Sim's timing; of all operands together with
  // Semantics::ergon. Absent: as much as SCALE-Sim calculates that the array needs.
  std::optional<double> words_per_cycle = {};
  std::optional<Hertz> clock = {};              // absent: no times
  std::optional<AccessEnergies> energies = {};  // absent: no energies
};

// What find_accelerator() changes in a built-in accelerator. Bandwidth and energies follow.
struct AcceleratorOptions {
  std::optional<std::string> memory =
      {};  // built-in name (memory_names()) or .json file; absent: the accelerator's
  std::optional<Hertz> clock = {};
  std::optional<std::int64_t> rows = {}, columns = {};
  std::optional<Dataflow> dataflow = {};
  std::optional<std::int64_t> ifmap_words = {}, filter_words = {}, ofmap_words = {};
};

// An accelerator by built-in name (accelerator_names()) or .json file, with the bandwidth and the energies of
// its memory. Errors: unknown_name with the nearest name; not_found; invalid_input for a damaged file or an
// option that does not fit.
ERGON_API Result<Accelerator> find_accelerator(const std::string& name_or_file,
                                               const AcceleratorOptions& options = {});
ERGON_API std::vector<std::string> accelerator_names();
ERGON_API std::vector<std::string> memory_names();

struct SimulatedLayer {
  std::string name;
  std::int64_t macs = 0;
  std::int64_t cycles = 0;                // including stalls
  std::int64_t stall_cycles = 0;          // waiting for memory
  std::int64_t cycles_with_prefetch = 0;  // from the first word fetched to the last word written back
  double utilization = 0;                 // percent of all cycles of the processing elements that multiply
  double mapping_efficiency = 0;  // percent of the processing elements that a fold uses, mean over folds
  std::int64_t ifmap_words = 0, filter_words = 0, ofmap_words = 0;  // to and from memory
  std::optional<Seconds> time;                                      // with a clock
  // With energies: MACs, scratchpad accesses and memory accesses.
  std::optional<Joules> compute_energy, scratchpad_energy, memory_energy;

  std::int64_t memory_words() const { return ifmap_words + filter_words + ofmap_words; }
  std::optional<Joules> energy() const {
    if (!compute_energy) return std::nullopt;
    return *compute_energy + *scratchpad_energy + *memory_energy;
  }
};

struct SimulatedNetwork {
  std::vector<SimulatedLayer> layers;  // convolutions, dense layers and matrix products, one after another
  SimulatedLayer total;                // mapping_efficiency is 0
};

// How layers are mapped: a convolution slides its filter; a matrix product multiplies whole matrices.
enum class LayerForm : std::uint8_t { convolutions, products };

struct SimulateOptions {
  Semantics semantics = Semantics::v3;
  LayerForm form = LayerForm::convolutions;  // networks only; rows of a topology file have their own form
  unsigned threads = 0;                      // 0: one per core
  std::stop_token stop = {};
};

// Batch 1. Errors: a layer that the form cannot express; an accelerator with invalid sizes; a bandwidth below
// one word per cycle with SCALE-Sim's timing; cancelled.
ERGON_API Result<SimulatedNetwork> simulate_network(const Network& network, const Accelerator& accelerator,
                                                    const SimulateOptions& options = {});

}  // namespace ergon
