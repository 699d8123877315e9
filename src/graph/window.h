#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "base/contract.h"

namespace ergon::graph {

// One number per spatial axis (one to three axes): a kernel, a stride, a padding.
class Extent {
 public:
  static constexpr std::size_t kMaxRank = 3;

  Extent() = default;
  Extent(std::initializer_list<std::int64_t> sizes) : Extent(std::span(sizes.begin(), sizes.size())) {}
  explicit Extent(std::span<const std::int64_t> sizes) : rank_(static_cast<std::uint8_t>(sizes.size())) {
    ERGON_EXPECTS(sizes.size() <= kMaxRank);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes_[i] = sizes[i];
  }
  // The same number for every axis.
  static Extent same(std::size_t rank, std::int64_t size) {
    Extent extent;
    extent.rank_ = static_cast<std::uint8_t>(rank);
    for (std::size_t i = 0; i < rank; ++i) extent.sizes_[i] = size;
    return extent;
  }

  std::size_t rank() const { return rank_; }
  std::int64_t operator[](std::size_t axis) const { return ERGON_EXPECTS(axis < rank_), sizes_[axis]; }
  std::int64_t& operator[](std::size_t axis) { return ERGON_EXPECTS(axis < rank_), sizes_[axis]; }
  std::span<const std::int64_t> sizes() const { return {sizes_.data(), rank_}; }

  friend bool operator==(const Extent&, const Extent&) = default;

 private:
  std::array<std::int64_t, kMaxRank> sizes_{};
  std::uint8_t rank_ = 0;
};

// Sliding window of a convolution or pooling.
struct Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent pad_begin;
  Extent pad_end;

  // A kernel of any rank with stride 1, no padding, no dilation.
  static Window over(Extent kernel) {
    const std::size_t rank = kernel.rank();
    return {kernel, Extent::same(rank, 1), Extent::same(rank, 1), Extent::same(rank, 0),
            Extent::same(rank, 0)};
  }
  static Window square(std::int64_t kernel, std::int64_t stride = 1, std::int64_t padding = 0) {
    return {{kernel, kernel}, {stride, stride}, {1, 1}, {padding, padding}, {padding, padding}};
  }
  static Window rectangle(std::int64_t height, std::int64_t width) { return over({height, width}); }

  std::size_t rank() const { return kernel.rank(); }
  friend bool operator==(const Window&, const Window&) = default;
};

// Number of window positions along one axis of an input, which is the output size. Empty if the window does
// not fit once, or if a parameter is out of range. `round_up` is PyTorch's ceil_mode: a last position may
// extend beyond the end, unless it would start in the padding.
std::optional<std::int64_t> window_positions(const Window& window, std::size_t axis, std::int64_t input,
                                             bool round_up = false);

// TensorFlow's "same" padding: the output size is input / stride, rounded up. An odd row or column of padding
// goes last.
void pad_to_same(Window& window, std::span<const std::int64_t> input);

// A window over the last two axes of an image with TensorFlow's padding: "same", or "valid" (none).
enum class Padding : std::uint8_t { valid, same };
Window image_window(const Extent& kernel, std::int64_t stride, Padding padding, std::int64_t height,
                    std::int64_t width);

}  // namespace ergon::graph
