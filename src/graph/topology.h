#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_limits.h"
#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph {

// One row of a SCALE-Sim topology file in convolution form. The format has no padding: a padded layer has a
// larger input feature map.
struct TopologyConv {
  std::string name;
  std::int64_t input_height = 0, input_width = 0;
  std::int64_t filter_height = 0, filter_width = 0;
  std::int64_t channels = 0, filters = 0;
  std::int64_t stride_height = 1, stride_width = 1;

  // Filter positions. The last one may extend beyond the input, as in SCALE-Sim: ceil((H - R + s) / s).
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

// A topology file: rows of one of the two forms.
struct Topology {
  std::vector<TopologyConv> convolutions;
  std::vector<TopologyGemm> products;
};

enum class TopologyForm : std::uint8_t { convolutions, products };
inline constexpr TopologyForm kTopologyForms[] = {TopologyForm::convolutions, TopologyForm::products};
std::string_view name_of(TopologyForm form);  // "conv", "gemm", as SCALE-Sim's option -i

struct TopologyParseOptions {
  std::optional<TopologyForm> form;      // default: read from the header
  std::optional<TopologyForm> fallback;  // if the header matches neither form
  bool repeated_names = false;           // accept two layers with the same name
  InputLimits limits = input_limits();   // of layers
};

// Reads either form. The header tells which: "Layer, M, N, K" or "Layer name, IFMAP Height, ...". Blank
// lines, trailing commas and a last column with a SCALE-Sim v3 sparsity of 1:1 are skipped. Errors name the
// source and the line; a text has at most limits.layers layers.
Result<Topology> parse_topology(std::string_view text, std::string_view source,
                                const TopologyParseOptions& options = {});

std::string to_csv(const Topology& topology);

// Every row becomes an independent layer.
Result<Network> network_of(const Topology& topology, std::string name);

// The convolutions, dense layers and matrix products of a network at batch 1, with unchanged MACs. In the
// convolution form a dense layer becomes a 1 x 1 convolution, a depthwise convolution one filter over all
// channels, and padding becomes part of the input. Independent layers are returned unchanged. Errors: a layer
// that the format cannot express; a network without such layers.
Result<Topology> topology_of(const Network& network, TopologyForm form);

}  // namespace ergon::graph
