// Topology files. Whatever the text is, it is refused in words or read; what was read can be written and read
// again, and becomes a network whose cost is a number or an overflow.

#include <cstdint>
#include <cstdlib>

#include "graph/summary.h"
#include "graph/topology.h"

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
  const auto cost = bill(*network, 1, Mode::training);
  if (!cost) return 0;
  // A network of rows says the same rows again.
  for (const auto form : {TopologyForm::convolutions, TopologyForm::products}) {
    const auto back = topology_of(*network, form);
    if (!back) continue;
    // An input that holds its padding may be too large where the one without was not.
    const auto rows = network_of(*back, "back");
    if (!rows) continue;
    const auto cost_of_rows = bill(*rows, 1, Mode::inference);
    if (cost_of_rows &&
        cost_of_rows->totals.sum.macs != bill(*network, 1, Mode::inference)->totals.sum.macs) {
      std::abort();
    }
  }
  return 0;
}
