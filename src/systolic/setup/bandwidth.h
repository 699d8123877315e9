#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "systolic/catalog/catalog.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/semantics.h"

namespace ergon::systolic {

// The bandwidth of the external memory as a user gives it: words per cycle, a rate, or as much as SCALE-Sim
// calculates that the array needs.
struct Bandwidth {
  std::string text;  // as given, for names and messages
  std::optional<double> words_per_cycle;
  std::optional<BytesPerSecond> rate;

  bool is_calculated() const { return !words_per_cycle && !rate; }
};

// "20", "28.8GB/s" or "calc".
Result<Bandwidth> parse_bandwidth(std::string_view text);

// The memory port with this bandwidth at a clock. Errors: a rate without accelerator or clock; those of the
// other port_of().
Result<MemoryPort> port_of(const Bandwidth& bandwidth, Semantics semantics, const Accelerator* accelerator,
                           std::optional<Hertz> clock);
// Errors: out of range; less than one word per cycle with SCALE-Sim's timing.
Result<MemoryPort> port_of(double words_per_cycle, Semantics semantics);

// Words per cycle of one operand, or of all operands with Semantics::ergon; "calc" if calculated.
std::string words_text(const MemoryPort& port, Semantics semantics);

}  // namespace ergon::systolic
