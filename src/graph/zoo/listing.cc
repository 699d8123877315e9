#include "graph/zoo/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace ergon::graph::zoo {
namespace {

Result<Listing> listing_of(const Entry& entry) {
  const auto network = build(entry);
  if (!network) return network.error();
  const auto costs = network_costs(*network, 1, Mode::inference);
  if (!costs) return costs.error();
  const Node& first = network->nodes.front();
  return Listing{&entry, network->values[first.outputs[0]].shape.per_sample(), depth(*network),
                 neurons(entry, *network, *costs), costs->totals};
}

}  // namespace

Result<std::vector<Listing>> listings(std::string_view family) {
  std::vector<Listing> all;
  std::vector<std::string> families;
  for (const Entry& entry : entries()) {
    if (families.empty() || families.back() != entry.family) families.push_back(entry.family);
    if (!family.empty() && lower(family) != entry.family) continue;
    auto listing = listing_of(entry);
    if (!listing) return listing.error();
    all.push_back(std::move(*listing));
  }
  if (!all.empty()) return all;
  return fail(Errc::unknown_name, "unknown family \"{}\"{}; expected {}", printable(family),
              suggestion(family, families), fmt::join(families, ", "));
}

std::string_view name_of(NeuronCount convention) {
  switch (convention) {
    case NeuronCount::every_layer:
      return "every_layer";
    case NeuronCount::weighted_only:
      return "convolutions_and_dense_layers";
    case NeuronCount::kernel_artifact:
      return "kernel_shapes_without_first_extent";
  }
  return "";
}

}  // namespace ergon::graph::zoo
