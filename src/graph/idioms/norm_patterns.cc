#include "graph/idioms/fusion_helpers.h"
#include "graph/idioms/patterns.h"

namespace ergon::graph {
namespace {

// Whether these are the last axes.
bool are_last(const std::vector<std::int64_t>& axes, const Shape& shape) {
  for (const std::int64_t axis : axes) {
    const auto index = shape.axis(axis);
    if (!index || *index + axes.size() < shape.rank()) return false;
  }
  return !axes.empty();
}

// Whether a weight has one element per channel of an image and broadcasts along the other axes.
bool spans_channels(const Shape& weight, const Shape& image) {
  if (image.rank() < 3 || weight.rank() > image.rank() || weight.rank() + 1 < image.rank()) return false;
  const std::size_t channels = weight.rank() + 1 - image.rank();
  for (std::size_t i = 0; i < weight.rank(); ++i) {
    if (i == channels ? weight[i] != image[1] : !weight[i].is_one()) return false;
  }
  return true;
}

// The scale and bias that follow a norm.
class Affine {
 public:
  Affine(const NetworkRewriter& network, NodeId norm) : last(norm), network_(network) {}

  template <typename Fits>
  bool take(Combine combine, const Shape& shape, Fits fits) {
    const auto next = network_.only_reader(last);
    if (!next || !network_.is_with_weight(*next, combine) || !fits(*network_.as<Arithmetic>(*next)->weight) ||
        network_.shape(network_.result(*next)) != shape)
      return false;
    for (Weight weight : network_.node(*next).weights) {
      weight.role = combine == Combine::add ? WeightRole::bias : WeightRole::scale;
      weights.push_back(weight);
    }
    last = *next;
    return true;
  }

  NodeId last;  // last node of the pattern so far
  std::vector<Weight> weights;

 private:
  const NetworkRewriter& network_;
};

// The mean over the last axes in sqrt(mean(x^2) + epsilon); null if `root` is something else. Its reciprocal
// is one node with it since fuse_activation().
const Reduce* root_mean_square_of(const NetworkRewriter& network, ValueId x, ValueId root) {
  NodeId at = network.producer(root);
  if (!network.is(at, Function::sqrt)) return nullptr;
  at = network.producer(network.node(at).inputs[0]);
  if (!network.is_with_scalar(at, Combine::add)) return nullptr;
  at = network.producer(network.node(at).inputs[0]);
  const auto* mean = network.as<Reduce>(at);
  if (mean == nullptr || mean->kind != ReduceKind::mean || !are_last(mean->axes, network.shape(x)))
    return nullptr;
  at = network.producer(network.node(at).inputs[0]);
  const auto& squared = network.node(at).inputs;
  const bool squares = network.is_with_scalar(at, Combine::power) ||
                       (network.is_of_two_tensors(at, Combine::multiply) && squared[0] == squared[1]);
  return squares && squared[0] == x ? mean : nullptr;
}

}  // namespace

void fuse_layer_norm(NetworkRewriter& network, NodeId id) {
  if (!network.is_of_two_tensors(id, Combine::divide)) return;
  const ValueId centered = network.node(id).inputs[0], deviation = network.node(id).inputs[1];
  const Reduce* mean = root_mean_square_of(network, centered, deviation);
  if (mean == nullptr) return;
  const std::size_t axes = mean->axes.size();
  // x minus its mean.
  const NodeId less = network.producer(centered);
  if (!network.is_of_two_tensors(less, Combine::subtract)) return;
  const ValueId x = network.node(less).inputs[0];
  const NodeId average = network.producer(network.node(less).inputs[1]);
  const auto* reduce = network.as<Reduce>(average);
  if (reduce == nullptr || reduce->kind != ReduceKind::mean || reduce->axes != mean->axes || !reduce->keep ||
      !mean->keep || network.node(average).inputs[0] != x)
    return;

  Affine affine(network, id);
  const auto fits = [&](const Shape& weight) { return spans_last_axes(weight, network.shape(x), axes); };
  LayerNorm norm{axes, false, false};
  norm.scale = affine.take(Combine::multiply, network.shape(x), fits);
  norm.center = norm.scale && affine.take(Combine::add, network.shape(x), fits);
  replace_subgraph(network, affine.last, norm, x, std::move(affine.weights));
}

void fuse_rms_norm(NetworkRewriter& network, NodeId id) {
  if (!network.is_of_two_tensors(id, Combine::multiply)) return;
  const auto& factors = network.node(id).inputs;
  for (const bool root_first : {false, true}) {
    const ValueId x = factors[root_first ? 1 : 0], root = factors[root_first ? 0 : 1];
    const Reduce* mean = root_mean_square_of(network, x, root);
    if (mean == nullptr || !mean->keep) continue;
    LayerNorm norm{mean->axes.size(), false, false};
    Affine affine(network, id);
    norm.scale = affine.take(Combine::multiply, network.shape(x), [&](const Shape& weight) {
      return spans_last_axes(weight, network.shape(x), norm.axes);
    });
    replace_subgraph(network, affine.last, norm, x, std::move(affine.weights));
    return;
  }
}

void fuse_group_norm(NetworkRewriter& network, NodeId id) {
  const auto* norm = network.as<GroupNorm>(id);
  if (norm == nullptr || norm->groups != 0) return;
  const NodeId before = network.producer(network.node(id).inputs[0]);
  const auto after = network.only_reader(id);
  if (network.as<Reshape>(before) == nullptr || !network.is_only_read_by(before, id) || !after ||
      network.as<Reshape>(*after) == nullptr)
    return;
  const ValueId x = network.node(before).inputs[0];
  const Shape &image = network.shape(x), &rows = network.shape(network.result(before));
  if (image.rank() < 3 || rows.rank() < 3 || rows[0] != image[0] ||
      network.shape(network.result(*after)) != image || rows[1].batched || image[1].batched ||
      image[1].size % rows[1].size != 0)
    return;
  Affine affine(network, *after);
  const auto fits = [&](const Shape& weight) { return spans_channels(weight, image); };
  if (!affine.take(Combine::multiply, image, fits) || !affine.take(Combine::add, image, fits)) return;
  for (Weight& weight : affine.weights) weight.shape = Shape{image[1]};
  replace_subgraph(network, affine.last, GroupNorm{rows[1].size}, x, std::move(affine.weights));
}

}  // namespace ergon::graph
