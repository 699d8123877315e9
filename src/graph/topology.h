#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph {

// One row of SCALE-Sim's topology file in its convolution form. There is no padding: a layer that pads has a
// larger input feature map.
struct TopologyConv {
  std::string name;
  std::int64_t input_height = 0, input_width = 0;
  std::int64_t filter_height = 0, filter_width = 0;
  std::int64_t channels = 0, filters = 0;
  std::int64_t stride_height = 1, stride_width = 1;

  // Places of the filter; a last one may hang over the edge, as SCALE-Sim counts: ceil((H - R + s) / s).
  std::int64_t output_height() const;
  std::int64_t output_width() const;

  friend bool operator==(const TopologyConv&, const TopologyConv&) = default;
};

// One row of the matrix form: (M x K) times (K x N).
struct TopologyGemm {
  std::string name;
  std::int64_t m = 0, n = 0, k = 0;

  friend bool operator==(const TopologyGemm&, const TopologyGemm&) = default;
};

// A topology file: rows of one form or the other.
struct Topology {
  std::vector<TopologyConv> convolutions;
  std::vector<TopologyGemm> products;
};

enum class TopologyForm : std::uint8_t { convolutions, products };

struct TopologyReading {
  std::optional<TopologyForm> form;      // without it the header tells
  std::optional<TopologyForm> fallback;  // when the header does not
  bool repeated_names = false;           // whether two layers may have the same name
};

// Reads either form; the header tells which ("Layer, M, N, K" or "Layer name, IFMAP Height, ..."). Blank
// lines and trailing commas are skipped, and so is a last column with SCALE-Sim v3's sparsity when it is 1:1.
// Errors carry the source's name and the line.
Result<Topology> parse_topology(std::string_view text, std::string_view source,
                                const TopologyReading& reading = {});

std::string to_csv(const Topology& topology);

// Every row becomes a layer that stands by itself.
Result<Network> network_of(const Topology& topology, std::string name);

// The convolutions, dense layers and matrix products of a network at batch 1, with the MACs they have. In the
// convolution form a dense layer is a 1 x 1 convolution, a depthwise convolution is one filter over all
// channels, and a padded input is as large as the filter's reach; layers that were listed by themselves are
// given back as they were. Fails when a layer cannot be written, and when nothing remains.
Result<Topology> topology_of(const Network& network, TopologyForm form);

}  // namespace ergon::graph
