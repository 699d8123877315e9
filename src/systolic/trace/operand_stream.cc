#include "systolic/trace/operand_stream.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::systolic {
namespace {

// sum over x in [0, lanes) of min(max(0, count - x), rows)
std::int64_t staircase(std::int64_t count, std::int64_t lanes, std::int64_t rows) {
  const auto ramp = [lanes](std::int64_t n) -> std::int64_t {
    if (n <= 0) return 0;
    if (n <= lanes) return n * (n + 1) / 2;
    return lanes * n - lanes * (lanes - 1) / 2;
  };
  return ramp(count) - ramp(count - rows);
}

}  // namespace

OperandStream::OperandStream(const Shape& shape, const Geometry& geometry)
    : shape_(shape),
      geometry_(geometry),
      blocks_((shape.lanes + shape.width - 1) / shape.width),
      holes_inside_(shape.is_ifmap && geometry.has_missing()) {
  words_ = words_in_blocks(blocks_);
}

std::int64_t OperandStream::lanes_of(std::int64_t block) const {
  return std::min(shape_.width, shape_.lanes - block * shape_.width);
}

// Holes of the input in lanes [first_lane, lane_limit), rows [0, row_limit).
std::int64_t OperandStream::missing(std::int64_t first_lane, std::int64_t lane_limit,
                                    std::int64_t row_limit) const {
  if (!holes_inside_) return 0;
  if (shape_.axis == LaneAxis::positions) {
    return geometry_.missing_before(lane_limit, row_limit) - geometry_.missing_before(first_lane, row_limit);
  }
  return geometry_.missing_before(row_limit, lane_limit) - geometry_.missing_before(row_limit, first_lane);
}

bool OperandStream::is_hole(std::int64_t block, std::int64_t row, std::int64_t lane) const {
  if (!holes_inside_) return false;
  const std::int64_t index = block * shape_.width + lane;
  return shape_.axis == LaneAxis::positions ? geometry_.is_missing(index, row)
                                            : geometry_.is_missing(row, index);
}

std::int64_t OperandStream::words_in_row(std::int64_t block, std::int64_t row) const {
  const std::int64_t first = block * shape_.width, lanes = lanes_of(block);
  return lanes - (missing(first, first + lanes, row + 1) - missing(first, first + lanes, row));
}

std::int64_t OperandStream::words_in_blocks(std::int64_t blocks) const {
  const std::int64_t lanes = std::min(blocks * shape_.width, shape_.lanes);
  return lanes * shape_.rows - missing(0, lanes, shape_.rows);
}

// Words of one block whose major index is smaller.
std::int64_t OperandStream::block_words_before(std::int64_t block, std::int64_t major) const {
  const std::int64_t lanes = lanes_of(block), first = block * shape_.width;
  const std::int64_t count = major - block * shape_.rows;
  if (count <= 0) return 0;
  if (!by_diagonals()) {
    const std::int64_t rows = std::min(count, shape_.rows);
    return lanes * rows - missing(first, first + lanes, rows);
  }
  std::int64_t words = staircase(count, lanes, shape_.rows);
  if (holes_inside_) {
    for (std::int64_t lane = 0; lane < std::min(lanes, count); ++lane) {
      words -= missing(first + lane, first + lane + 1, std::min(count - lane, shape_.rows));
    }
  }
  return words;
}

std::int64_t OperandStream::words_before(std::int64_t major) const {
  // Blocks that lie before `major` with all they have.
  const std::int64_t length = shape_.rows + (by_diagonals() ? shape_.width - 1 : 0);
  std::int64_t block = major < length ? 0 : std::min(blocks_, (major - length) / shape_.rows + 1);
  std::int64_t words = words_in_blocks(block);
  for (; block < blocks_ && block * shape_.rows < major; ++block) words += block_words_before(block, major);
  return words;
}

template <typename Visit>
void OperandStream::visit_major(std::int64_t major, const Visit& visit) const {
  if (!by_diagonals()) {
    visit(major / shape_.rows, std::int64_t{0}, lanes_of(major / shape_.rows));
    return;
  }
  // A larger lane means a smaller row of the stack.
  for (std::int64_t block = std::min(blocks_ - 1, major / shape_.rows); block >= 0; --block) {
    const std::int64_t top = block * shape_.rows;
    const std::int64_t first = std::max<std::int64_t>(0, major - top - shape_.rows + 1);
    const std::int64_t end = std::min(lanes_of(block), major - top + 1);
    if (first >= shape_.width) return;
    if (first < end && !visit(block, first, end)) return;
  }
}

std::int64_t OperandStream::rank_of(const StreamWord& word) const {
  const std::int64_t major = position(word).major;
  std::int64_t rank = words_before(major);
  visit_major(major, [&](std::int64_t block, std::int64_t first, std::int64_t end) {
    const std::int64_t stop = std::min(end, word.lane);
    if (!holes_inside_) {
      rank += std::max<std::int64_t>(0, stop - first);
    } else {
      for (std::int64_t lane = first; lane < stop; ++lane) {
        const std::int64_t row = by_diagonals() ? major - lane - block * shape_.rows : word.row;
        if (!is_hole(block, row, lane)) ++rank;
      }
    }
    return end < word.lane;
  });
  return rank;
}

StreamPosition OperandStream::position_of_rank(std::int64_t rank) const {
  const std::int64_t majors = blocks_ * shape_.rows + (by_diagonals() ? shape_.width : 0);
  if (rank >= words_) return {majors, 0};
  // The first major with words_before(major + 1) > rank. Where lanes are staggered a full diagonal is as wide
  // as a row, but the first ones are not; holes make it later still. Search around that guess.
  const std::int64_t corner = by_diagonals() ? shape_.width * (shape_.width - 1) / 2 : 0;
  std::int64_t low = std::min(majors - 1, (rank + corner) / shape_.width), high = low;
  for (std::int64_t step = 1; low > 0 && words_before(low) > rank; step *= 2) {
    high = low - 1;
    low = std::max<std::int64_t>(0, low - step);
  }
  for (std::int64_t step = 1; words_before(high + 1) <= rank; step *= 2) {
    low = high + 1;
    high = std::min(majors - 1, high + step);
  }
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (words_before(middle + 1) > rank) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  std::int64_t left = rank - words_before(low);
  StreamPosition position{low, 0};
  visit_major(low, [&](std::int64_t block, std::int64_t first, std::int64_t end) {
    if (!holes_inside_) {
      if (left < end - first) return position.minor = first + left, false;
      left -= end - first;
      return true;
    }
    for (std::int64_t lane = first; lane < end; ++lane) {
      const std::int64_t row = by_diagonals() ? low - lane - block * shape_.rows : low % shape_.rows;
      if (!is_hole(block, row, lane) && left-- == 0) return position.minor = lane, false;
    }
    return true;
  });
  return position;
}

}  // namespace ergon::systolic
