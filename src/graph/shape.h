#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/contract.h"
#include "graph/count.h"

namespace ergon::graph {

// One extent of a tensor: `size`, or `size` times the batch. An axis that merges the batch with 12 attention
// heads is Dim{12, true}.
struct Dim {
  std::int64_t size = 1;
  bool batched = false;

  static constexpr Dim batch() { return {1, true}; }
  Count at(std::int64_t batch) const { return batched ? Count(size) * batch : Count(size); }
  bool is_batch() const { return batched && size == 1; }
  bool is_one() const { return !batched && size == 1; }

  friend auto operator<=>(const Dim&, const Dim&) = default;
};

// Extents of a tensor in memory order, with a symbolic batch. Images are always channels-first (batch,
// channels, height, width), whatever their framework uses; `image` marks them so that they can be shown as
// height x width x channels: 112 x 112 x 64.
class Shape {
 public:
  static constexpr std::size_t kMaxRank = 10;

  Shape() = default;
  Shape(std::initializer_list<Dim> dims);
  static Shape of(std::span<const Dim> dims);
  static Shape fixed(std::span<const std::int64_t> sizes);
  // (batch, channels, height, width)
  static Shape image_of(std::int64_t channels, std::int64_t height, std::int64_t width);
  // (batch, sizes...)
  static Shape batch_of(std::initializer_list<std::int64_t> sizes);

  std::size_t rank() const { return rank_; }
  const Dim& operator[](std::size_t axis) const { return ERGON_EXPECTS(axis < rank_), dims_[axis]; }
  Dim& operator[](std::size_t axis) { return ERGON_EXPECTS(axis < rank_), dims_[axis]; }
  std::span<const Dim> dims() const { return {dims_.data(), rank_}; }
  void push_back(Dim dim);

  bool is_image() const { return image_; }
  void set_image(bool image) { image_ = image && rank_ >= 3; }
  Shape as_image() const;
  Shape as_plain() const;

  // Contract: an image.
  std::int64_t channels() const { return ERGON_EXPECTS(image_), dims_[1].size; }

  bool batched() const;
  Count elements(std::int64_t batch) const;
  // All extents at a batch size.
  std::vector<std::int64_t> at(std::int64_t batch) const;
  // Extents of one sample, without the batch axis; images as height, width, channels.
  std::vector<std::int64_t> per_sample() const;

  // Resolves a negative axis, counted from the end; empty if out of range.
  std::optional<std::size_t> axis(std::int64_t axis) const;

  friend bool operator==(const Shape& a, const Shape& b);

 private:
  std::array<Dim, kMaxRank> dims_{};
  std::uint8_t rank_ = 0;
  bool image_ = false;
};

// "(batch, 64, 56, 56)", "(12*batch, 197, 64)"
std::string to_text(const Shape& shape);

// "56x56x64"
std::string sizes_text(std::span<const std::int64_t> sizes);

// NumPy broadcasting of two shapes; empty if they are incompatible.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

}  // namespace ergon::graph
