// Topology files. Any text gives an error or a topology, which round-trips through CSV and becomes a network
// whose cost is a number or an overflow error.

#include <cstdint>
#include <cstdlib>

#include "fuzz/lines_mutator.h"
#include "graph/summary.h"
#include "graph/topology.h"

namespace {

constexpr std::string_view kWords[] = {
    "1",       "2",   "3",          "7",          "64",         "224",
    "224x224", "1:2", "2147483648", "4294967296", "Layer name", "IFMAP Height",
    "M",       "N",   "K",          "conv1",      " "};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon::graph;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto topology = parse_topology(text, "fuzz");
  if (!topology) return topology.error().message.empty() ? (std::abort(), 0) : 0;
  const auto again = parse_topology(to_csv(*topology), "again");
  if (!again || again->convolutions != topology->convolutions || again->products != topology->products)
    std::abort();
  const auto network = network_of(*topology, "fuzz");
  if (!network) return 0;
  const auto cost = network_costs(*network, 1, Mode::training);
  if (!cost) return 0;
  // Converting the network back gives the same rows.
  for (const auto form : {TopologyForm::convolutions, TopologyForm::products}) {
    const auto back = topology_of(*network, form);
    if (!back) continue;
    // The input including padding may overflow even if the input without padding did not.
    const auto rows = network_of(*back, "back");
    if (!rows) continue;
    const auto cost_of_rows = network_costs(*rows, 1, Mode::inference);
    if (cost_of_rows &&
        cost_of_rows->totals.sum.macs != network_costs(*network, 1, Mode::inference)->totals.sum.macs) {
      std::abort();
    }
  }
  return 0;
}
