#include "profile/torch/kernel.h"

#include <algorithm>

#include "graph/matrix_product.h"
#include "graph/overloaded.h"
#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

// Small integers are values of a quantized network, which needs other kernels.
bool is_quantized(graph::ElementType type) {
  using graph::ElementType;
  return type == ElementType::int8 || type == ElementType::uint8 || type == ElementType::int4 ||
         type == ElementType::uint4 || type == ElementType::float8;
}

std::size_t outputs_of(const graph::Node& node) {
  return std::visit(
      graph::Overloaded{
          [](const graph::Split& op) { return op.sizes.size(); },
          [](const graph::Recurrent& op) {
            return std::size_t{op.cell == graph::RecurrentCell::lstm ? 3U : 2U};
          },
          [](const graph::Dropout&) { return std::size_t{2}; },
          [](const graph::Pool& op) { return std::size_t{op.kind == graph::PoolKind::max ? 2U : 1U}; },
          [](const auto&) { return std::size_t{1}; },
      },
      node.operation);
}

bool is_read(const graph::Network& network, graph::ValueId value) {
  const auto reads = [&](const graph::Node& node) { return std::ranges::count(node.inputs, value) > 0; };
  return std::ranges::any_of(network.nodes, reads) || std::ranges::count(network.outputs, value) > 0;
}

Result<> check(const NodeView& view) {
  const graph::Node& node = view.node;
  for (const graph::ValueId id : node.inputs) {
    if (view.network.values[id].type == graph::ElementType::text)
      return unsupported(view, "text inputs are not supported");
  }
  if (graph::multiplies_matrices(node.operation)) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const graph::ElementType type = input_value(view, i).type;
      if (is_quantized(type))
        return unsupported(view, fmt::format("{} is not supported", graph::name_of(type)));
    }
  }
  for (std::size_t i = outputs_of(node); i < node.outputs.size(); ++i) {
    if (is_read(view.network, node.outputs[i])) {
      return unsupported(view, fmt::format("output {} is not supported", i + 1));
    }
  }
  return {};
}

}  // namespace

Result<Kernel> kernel_of(const NodeView& view) {
  if (const auto good = check(view); !good) return good.error();
  return std::visit(graph::Overloaded{
                        [](const graph::Input&) -> Result<Kernel> { return Kernel([](Registers&) {}); },
                        [](const graph::Unknown& op) -> Result<Kernel> {
                          return fail(Errc::unsupported, "{}{}{}: unknown operator", op.domain,
                                      op.domain.empty() ? "" : ".", op.type);
                        },
                        [&](const auto& op) { return kernel_for(view, op); },
                    },
                    view.node.operation);
}

}  // namespace ergon::profile::torch
