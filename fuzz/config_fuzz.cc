// SCALE-Sim's configuration files. Whatever the text is, it is refused in words or read; what was read is a
// machine that works.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz/lines_mutator.h"
#include "systolic/scalesim/config.h"

namespace {

constexpr std::string_view kWords[] = {"[general]",
                                       "[architecture_presets]",
                                       "[sparsity]",
                                       "[layout]",
                                       "[run_presets]",
                                       "run_name ",
                                       " os",
                                       " ws",
                                       " is",
                                       " 16",
                                       " 4096",
                                       " USER",
                                       " CALC",
                                       " true",
                                       " 1:2",
                                       "ArrayHeight:    16",
                                       "Bandwidth : 10, 20",
                                       "IfmapSramSzkB:    8",
                                       "Dataflow : ws"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = '=', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon::systolic;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = scalesim::parse_config(text, "fuzz");
  if (!config) return config.error().message.empty() ? (std::abort(), 0) : 0;
  if (!config->machine.check() || config->run_name.empty()) std::abort();
  for (const Semantics semantics : {Semantics::v3, Semantics::v2, Semantics::v2_2021, Semantics::ergon}) {
    const PortWords ports = config->ports(semantics);
    if (ports.ifmap < 1 || ports.filter < 1 || ports.ofmap < 1) std::abort();
  }
  return 0;
}
