#include "graph/shape.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::graph {

Shape::Shape(std::initializer_list<Dim> dims) {
  for (const Dim& dim : dims) push_back(dim);
}

Shape Shape::of(std::span<const Dim> dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim);
  return shape;
}

Shape Shape::fixed(std::span<const std::int64_t> sizes) {
  Shape shape;
  for (const std::int64_t size : sizes) shape.push_back({size, false});
  return shape;
}

Shape Shape::image_of(std::int64_t channels, std::int64_t height, std::int64_t width) {
  return Shape{Dim::batch(), {channels}, {height}, {width}}.as_image();
}

Shape Shape::batch_of(std::initializer_list<std::int64_t> sizes) {
  Shape shape{Dim::batch()};
  for (const std::int64_t size : sizes) shape.push_back({size, false});
  return shape;
}

void Shape::push_back(Dim dim) {
  ERGON_EXPECTS(rank_ < kMaxRank);
  dims_[rank_++] = dim;
}

Shape Shape::as_image() const {
  Shape image = *this;
  image.set_image(true);
  return image;
}

Shape Shape::as_plain() const {
  Shape plain = *this;
  plain.image_ = false;
  return plain;
}

bool Shape::batched() const {
  return std::any_of(dims().begin(), dims().end(), [](const Dim& dim) { return dim.batched; });
}

Count Shape::elements(std::int64_t batch) const {
  Count product = 1;
  for (const Dim& dim : dims()) product *= dim.at(batch);
  return product;
}

std::vector<std::int64_t> Shape::at(std::int64_t batch) const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(rank_);
  for (const Dim& dim : dims()) sizes.push_back(dim.at(batch).exact());
  return sizes;
}

std::vector<std::int64_t> Shape::per_sample() const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(rank_);
  for (const Dim& dim : dims()) {
    if (!dim.is_batch()) sizes.push_back(dim.size);
  }
  // (channels, height, width) becomes (height, width, channels).
  if (image_ && sizes.size() + 1 == rank_) std::rotate(sizes.begin(), sizes.begin() + 1, sizes.end());
  return sizes;
}

std::optional<std::size_t> Shape::axis(std::int64_t axis) const {
  const auto rank = static_cast<std::int64_t>(rank_);
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

bool operator==(const Shape& a, const Shape& b) {
  return std::equal(a.dims().begin(), a.dims().end(), b.dims().begin(), b.dims().end());
}

std::string to_text(const Shape& shape) {
  std::string text = "(";
  for (const Dim& dim : shape.dims()) {
    if (text.size() > 1) text += ", ";
    if (!dim.batched) {
      text += std::to_string(dim.size);
    } else {
      text += dim.size == 1 ? "batch" : fmt::format("{}*batch", dim.size);
    }
  }
  return text + ")";
}

std::string sizes_text(std::span<const std::int64_t> sizes) {
  if (sizes.empty()) return "scalar";
  return fmt::format("{}", fmt::join(sizes, "x"));
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.rank() - shorter.rank();
  for (std::size_t i = 0; i < shorter.rank(); ++i) {
    const Dim other = shorter[i];
    Dim& dim = result[offset + i];
    if (dim == other || other.is_one()) continue;
    if (!dim.is_one()) return std::nullopt;
    dim = other;
  }
  result.set_image(longer.is_image() || (shorter.is_image() && longer.rank() == shorter.rank()));
  return result;
}

}  // namespace ergon::graph
