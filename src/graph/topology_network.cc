// Conversion between topology rows and networks.

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/builder.h"
#include "graph/infer.h"
#include "graph/overloaded.h"
#include "graph/topology.h"

namespace ergon::graph {
namespace {

void add_conv(Builder& b, const TopologyConv& row) {
  b.open(row.name, "Conv2D");
  Window window = Window::rectangle(row.filter_height, row.filter_width);
  window.stride = {row.stride_height, row.stride_width};
  // The last filter position may extend beyond the input.
  const std::int64_t reach_height = (row.output_height() - 1) * row.stride_height + row.filter_height;
  const std::int64_t reach_width = (row.output_width() - 1) * row.stride_width + row.filter_width;
  window.pad_end = {std::max<std::int64_t>(reach_height - row.input_height, 0),
                    std::max<std::int64_t>(reach_width - row.input_width, 0)};
  const Tensor x = b.put_input(Shape::image_of(row.channels, row.input_height, row.input_width));
  b.put(Convolution{window, row.filters, 1, false}, {x});
}

void add_gemm(Builder& b, const TopologyGemm& row) {
  b.open(row.name, "GEMM");
  const Tensor x = b.put_input(Shape{Dim::batch(), {row.m}, {row.k}});
  b.put(Dense{row.n, false}, {x});
}

// Names in a topology file cannot contain commas or line breaks.
std::string plain_name(const std::string& name) {
  std::string plain = printable(name, 200);
  for (char& c : plain) {
    if (c == ',') c = ';';
  }
  return plain;
}

struct GemmShape {
  Count m;
  std::int64_t n, k;
};

// Rows of all multiplied matrices together.
Count leading_rows(const Shape& shape) {
  Count rows = 1;
  for (std::size_t i = 0; i + 1 < shape.rank(); ++i) rows *= shape[i].at(1);
  return rows;
}

Result<TopologyConv> conv_row(const Convolution& op, const Shape& input, const Shape& output,
                              std::string name) {
  if (op.window.rank() != 2) return fail(Errc::unsupported, "a {}-d convolution", op.window.rank());
  const Window& w = op.window;
  if (w.dilation != Extent::same(2, 1)) return fail(Errc::unsupported, "a dilated convolution");
  TopologyConv row;
  row.name = std::move(name);
  row.filter_height = w.kernel[0];
  row.filter_width = w.kernel[1];
  row.stride_height = w.stride[0];
  row.stride_width = w.stride[1];
  row.input_height = (output[2].size - 1) * w.stride[0] + w.kernel[0];
  row.input_width = (output[3].size - 1) * w.stride[1] + w.kernel[1];
  const std::int64_t channels = input[1].size;
  const bool one_to_one = op.groups == channels && op.out_channels == channels;
  row.channels = one_to_one ? channels : channels / op.groups;
  row.filters = one_to_one ? 1 : op.out_channels;
  return row;
}

Result<std::optional<GemmShape>> product_of(const Network& network, const Node& node) {
  const auto shapes = network.input_shapes(node);
  const Shape& output = network.values[node.outputs[0]].shape;
  return std::visit(
      Overloaded{
          [&](const Convolution& op) -> Result<std::optional<GemmShape>> {
            Count m = output[0].at(1);
            Count k = shapes[0][1].size / op.groups;
            for (std::size_t i = 0; i < op.window.rank(); ++i) {
              m *= output[i + 2].size;
              k *= op.window.kernel[i];
            }
            if (k.overflowed()) return k.value().error();
            return std::optional(GemmShape{m, op.out_channels, k.exact()});
          },
          [&](const Dense& op) -> Result<std::optional<GemmShape>> {
            return std::optional(
                GemmShape{leading_rows(output), op.out_features, shapes[0][shapes[0].rank() - 1].size});
          },
          [&](const MatrixProduct& op) -> Result<std::optional<GemmShape>> {
            const auto product = infer_product(op, shapes);
            if (!product) return product.error();
            // With a vector on the right the result has no columns.
            const Shape& right = !op.weight ? shapes[1] : op.weight_on_left ? shapes[0] : *op.weight;
            const Dim columns = right.rank() > 1 ? right[right.rank() - 1] : Dim{1};
            Count rows = 1;
            for (const Dim& dim : output.dims()) rows *= dim.at(1);
            if (rows.overflowed()) return rows.value().error();
            return std::optional(GemmShape{rows.exact() / columns.size, columns.size, product->inner.size});
          },
          [](const TransposedConvolution&) -> Result<std::optional<GemmShape>> {
            return fail(Errc::unsupported, "a transposed convolution");
          },
          [](const Recurrent&) -> Result<std::optional<GemmShape>> {
            return fail(Errc::unsupported, "a recurrent layer");
          },
          [](const Einsum&) -> Result<std::optional<GemmShape>> {
            return fail(Errc::unsupported, "an einsum");
          },
          [](const auto&) -> Result<std::optional<GemmShape>> { return std::optional<GemmShape>(); },
      },
      node.operation);
}

// Unique row names: one layer may have several products.
class RowNames {
 public:
  std::string next(const Layer& layer) {
    const std::string name = plain_name(layer.name);
    const int uses = seen_[name]++;
    return uses == 0 ? name : fmt::format("{}#{}", name, uses + 1);
  }

 private:
  std::map<std::string, int> seen_;
};

}  // namespace

Result<Network> network_of(const Topology& topology, std::string name) {
  Builder b("topology", std::move(name));
  b.network().independent_layers = true;
  for (const TopologyConv& row : topology.convolutions) add_conv(b, row);
  for (const TopologyGemm& row : topology.products) add_gemm(b, row);
  return b.finish({});
}

Result<Topology> topology_of(const Network& network, TopologyForm form) {
  Topology topology;
  RowNames names;
  for (const Node& node : network.nodes) {
    const Layer& layer = network.layers[node.layer];
    if (layer.training_only) continue;
    const auto in_layer = [&](const Error& error) {
      return error.in(
          fmt::format("layer \"{}\" cannot be written to a topology file", printable(layer.name)));
    };
    const auto product = product_of(network, node);
    if (!product) return in_layer(product.error());
    if (!*product) continue;
    const auto m = (*product)->m.value();
    if (!m) return in_layer(m.error());
    if (form == TopologyForm::products) {
      topology.products.push_back({names.next(layer), *m, (*product)->n, (*product)->k});
      continue;
    }
    if (const auto* conv = std::get_if<Convolution>(&node.operation)) {
      const Shape& input = network.values[node.inputs[0]].shape;
      auto row = conv_row(*conv, input, network.values[node.outputs[0]].shape, names.next(layer));
      if (!row) return in_layer(row.error());
      // Rows of a topology file keep their input size: positions beyond the edge are not part of it.
      if (network.independent_layers) {
        row->input_height = input[2].size;
        row->input_width = input[3].size;
      }
      topology.convolutions.push_back(std::move(*row));
      continue;
    }
    topology.convolutions.push_back({names.next(layer), *m, 1, 1, 1, (*product)->k, (*product)->n, 1, 1});
  }
  if (topology.convolutions.empty() && topology.products.empty()) {
    return fail(Errc::invalid_input, "{} has no convolution, dense layer or matrix product", network.name);
  }
  return topology;
}

}  // namespace ergon::graph
