#include "graph/builder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graph/images.h"
#include "graph/infer.h"

namespace ergon::graph {
namespace {

// Shape of the placeholder tensor after an error: any axis can be read and has extent 1.
Shape placeholder_shape() {
  Shape shape;
  for (std::size_t i = 0; i < Shape::kMaxRank; ++i) shape.push_back({1});
  return shape.as_image();
}

}  // namespace

Builder::Builder(std::string family, std::string name) {
  network_.family = std::move(family);
  network_.name = std::move(name);
  network_.values.push_back({placeholder_shape(), ElementType::float32, 0});
}

void Builder::open(std::string layer, std::string_view type) {
  network_.layers.push_back(
      {std::move(layer), std::string(type), static_cast<NodeId>(network_.nodes.size()), 0, training_only_});
}

Tensor Builder::input(std::string layer, std::string_view type, const Shape& shape, ElementType element) {
  if (failed()) return 0;
  open(std::move(layer), type);
  return put_input(shape, element);
}

Tensor Builder::put_input(const Shape& shape, ElementType element) {
  if (failed()) return 0;
  if (const auto good = check_shape(shape); !good) {
    reject(good.error());
    return 0;
  }
  const auto node = static_cast<NodeId>(network_.nodes.size());
  const auto value = static_cast<ValueId>(network_.values.size());
  network_.values.push_back({shape, element, node});
  network_.nodes.push_back({Input{}, {}, {value}, {}, static_cast<LayerId>(network_.layers.size() - 1)});
  ++network_.layers.back().count;
  return value;
}

Result<std::vector<Tensor>> Builder::try_put(Operation operation, std::vector<Tensor> inputs,
                                             PutOptions options) {
  ERGON_EXPECTS(!network_.layers.empty());
  std::vector<Shape> shapes;
  shapes.reserve(inputs.size());
  for (const Tensor input : inputs) shapes.push_back(network_.values[input].shape);
  auto results = infer(operation, shapes);
  if (!results) return results.error();

  const ElementType default_type = inputs.empty() ? ElementType::float32 : network_.values[inputs[0]].type;
  const auto node = static_cast<NodeId>(network_.nodes.size());
  std::vector<ValueId> outputs;
  for (std::size_t i = 0; i < results->size(); ++i) {
    outputs.push_back(static_cast<ValueId>(network_.values.size()));
    const ElementType type = i < options.types.size() ? options.types[i] : default_type;
    network_.values.push_back({(*results)[i], type, node});
  }
  // The element type of an embedding's output is that of its table, not that of its indices.
  const ElementType stored = options.types.empty() ? default_type : options.types[0];
  auto weights = options.weights ? std::move(*options.weights) : weights_of(operation, shapes, stored);
  for (const Weight& weight : weights) {
    if (weight.elements().overflowed()) {
      return fail(Errc::invalid_input, "a weight of {} has more than 2^63 elements", to_text(weight.shape));
    }
  }
  Layer& layer = network_.layers.back();
  network_.nodes.push_back({std::move(operation), std::move(inputs), outputs, std::move(weights),
                            static_cast<LayerId>(network_.layers.size() - 1)});
  ++layer.count;
  return outputs;
}

Tensor Builder::put(Operation operation, std::vector<Tensor> inputs) {
  if (failed()) return 0;
  PutOptions options;
  if (std::holds_alternative<Embedding>(operation)) options.types = {ElementType::float32};
  const auto outputs = try_put(std::move(operation), std::move(inputs), std::move(options));
  if (!outputs) {
    reject(outputs.error());
    return 0;
  }
  return outputs->front();
}

std::vector<Tensor> Builder::put_split(Tensor input, std::int64_t axis,
                                       const std::vector<std::int64_t>& sizes) {
  std::vector<Tensor> placeholders(sizes.size(), 0);
  if (failed()) return placeholders;
  auto parts = try_put(Split{axis, sizes}, {input}, {});
  if (parts) return std::move(*parts);
  reject(parts.error());
  return placeholders;
}

Tensor Builder::add(std::string layer, std::string_view type, Operation operation,
                    std::vector<Tensor> inputs) {
  if (failed()) return 0;
  open(std::move(layer), type);
  return put(std::move(operation), std::move(inputs));
}

Tensor Builder::chain(std::string layer, std::string_view type, std::vector<Operation> operations,
                      Tensor input) {
  if (failed()) return 0;
  open(std::move(layer), type);
  for (Operation& operation : operations) input = put(std::move(operation), {input});
  return input;
}

std::string Builder::numbered(std::string_view stem) {
  const int number = numbers_[std::string(stem)]++;
  return number == 0 ? std::string(stem) : fmt::format("{}_{}", stem, number);
}

void Builder::reject(Error error) {
  if (failure_) return;
  const auto& layers = network_.layers;
  failure_ = layers.empty() ? std::move(error)
                            : error.in(fmt::format("layer \"{}\" ({})", printable(layers.back().name),
                                                   printable(layers.back().type)));
}

Result<Network> Builder::finish(std::vector<Tensor> outputs) {
  if (failure_) return failure_->in(network_.name);
  network_.outputs = std::move(outputs);
  mark_images(network_);
  return std::move(network_);
}

}  // namespace ergon::graph
