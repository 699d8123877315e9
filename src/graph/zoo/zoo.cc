#include "graph/zoo/zoo.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::graph::zoo {
namespace {

std::vector<Entry> collected() {
  std::vector<Entry> all;
  for (const auto family : {torchvision_entries, keras_entries, slim_entries, caffe_entries, darknet_entries,
                            hf_entries, bit_entries, listed_entries}) {
    auto entries = family();
    std::move(entries.begin(), entries.end(), std::back_inserter(all));
  }
  return all;
}

bool has_weights(const Node& node) {
  return std::any_of(node.weights.begin(), node.weights.end(),
                     [](const Weight& weight) { return weight.role == WeightRole::kernel; });
}

// Product of the kernel's extents in TensorFlow's order (height, width, inputs, outputs), without the first.
Count without_first_extent(const Node& node) {
  if (const auto* convolution = std::get_if<Convolution>(&node.operation)) {
    const Shape& kernel = node.weights[0].shape;  // outputs, inputs, height, width
    return Count(convolution->out_channels) * kernel[1].size * convolution->window.kernel[1];
  }
  if (const auto* dense = std::get_if<Dense>(&node.operation)) return dense->out_features;
  return 0;
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = collected();
  return all;
}

Result<const Entry*> find(std::string_view name) {
  // An exact match wins: "MobileNet" is SCALE-Sim's list, "mobilenet" the network of Keras.
  const std::string wanted = lower(name);
  const Entry* ignoring_case = nullptr;
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    const std::string full = entry.family + "/" + entry.name;
    if (entry.name == name || full == name) return &entry;
    if (ignoring_case == nullptr && (lower(entry.name) == wanted || lower(full) == wanted))
      ignoring_case = &entry;
    names.push_back(entry.name);
    names.push_back(full);
  }
  if (ignoring_case != nullptr) return ignoring_case;
  return fail(Errc::unknown_name, "unknown network \"{}\"{}; run \"ergon zoo\" for a list", printable(name),
              suggestion(name, names));
}

Result<Network> build(const Entry& entry, const BuildOptions& options) {
  InputSize size = entry.default_input;
  if (options.size) {
    if (!takes_images(entry)) {
      return fail(Errc::invalid_input, "{}/{} does not support --size: its input is not an image",
                  entry.family, entry.name);
    }
    size.size = *options.size;
  }
  if (options.sequence) {
    if (!takes_tokens(entry)) {
      return fail(Errc::invalid_input, "{}/{} does not support --sequence: its input is not text",
                  entry.family, entry.name);
    }
    size.sequence = *options.sequence;
  }
  auto network = entry.build(size);
  if (network && entry.family == "hf") network->modules = "transformers";
  return network;
}

std::int64_t neurons(const Entry& entry, const Network& network, const NetworkCosts& costs) {
  if (entry.neurons == NeuronCount::every_layer) return costs.totals.activations;
  Count sum = 0;
  for (const Node& node : network.nodes) {
    if (!has_weights(node)) continue;
    sum += entry.neurons == NeuronCount::kernel_artifact ? without_first_extent(node)
                                                         : network.values[node.outputs[0]].shape.elements(1);
  }
  return sum.exact();
}

std::int64_t depth(const Network& network) {
  std::vector<std::int64_t> reached(network.values.size(), 0);
  std::int64_t deepest = 0;
  for (const Node& node : network.nodes) {
    if (network.layers[node.layer].training_only) continue;
    std::int64_t here = 0;
    for (const ValueId input : node.inputs) here = std::max(here, reached[input]);
    if (has_weights(node)) ++here;
    for (const ValueId output : node.outputs) reached[output] = here;
    deepest = std::max(deepest, here);
  }
  return deepest;
}

}  // namespace ergon::graph::zoo
