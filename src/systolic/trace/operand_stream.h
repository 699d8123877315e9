#pragma once

#include <compare>
#include <cstdint>

#include "systolic/array/geometry.h"

namespace ergon::systolic {

// Position of a word in the prefetch order of an operand.
struct StreamPosition {
  std::int64_t major = 0, minor = 0;
  friend auto operator<=>(const StreamPosition&, const StreamPosition&) = default;
};

// The index that is fixed per lane (column of a block) of an operand. The other index runs along the rows.
enum class LaneAxis : std::uint8_t { positions, taps, filters };

// One word of an operand: block, row within the block, and lane (column) within the block.
struct StreamWord {
  std::int64_t block = 0, row = 0, lane = 0;
};

// The prefetch order of an operand. The operand is a matrix divided into blocks of `width` lanes, and the
// blocks are stacked: word (block, row, lane) is in row block * rows + row of the stack. The stack is read
// row by row or, if the array needs its lanes staggered, along its anti-diagonals, smallest lane first. Lanes
// beyond the last and taps outside the input are holes: they are skipped, and ranks count existing words
// only.
class OperandStream {
 public:
  enum class Order : std::uint8_t { by_rows, by_diagonals };

  struct Shape {
    Order order = Order::by_rows;
    LaneAxis axis = LaneAxis::filters;
    std::int64_t lanes = 0, rows = 0, width = 0;
    bool is_ifmap = false;  // may have holes where the filter extends over the edge
  };

  OperandStream(const Shape& shape, const Geometry& geometry);

  std::int64_t blocks() const { return blocks_; }
  std::int64_t rows() const { return shape_.rows; }
  std::int64_t width() const { return shape_.width; }
  LaneAxis axis() const { return shape_.axis; }
  bool by_diagonals() const { return shape_.order == Order::by_diagonals; }
  std::int64_t lanes_of(std::int64_t block) const;

  // Slots, holes included, and words.
  std::int64_t slots() const { return blocks_ * shape_.rows * shape_.width; }
  std::int64_t words() const { return words_; }

  StreamPosition position(const StreamWord& word) const {
    const std::int64_t row = word.block * shape_.rows + word.row;
    return {by_diagonals() ? row + word.lane : row, word.lane};
  }
  // Contract: not a hole.
  std::int64_t rank_of(const StreamWord& word) const;
  // The position of the word with this rank; a position behind all words for ranks from words() on.
  StreamPosition position_of_rank(std::int64_t rank) const;

  // Words of one row of a block.
  std::int64_t words_in_row(std::int64_t block, std::int64_t row) const;

 private:
  std::int64_t missing(std::int64_t first_lane, std::int64_t lane_limit, std::int64_t row_limit) const;
  bool is_hole(std::int64_t block, std::int64_t row, std::int64_t lane) const;
  std::int64_t words_in_blocks(std::int64_t blocks) const;
  std::int64_t words_before(std::int64_t major) const;
  std::int64_t block_words_before(std::int64_t block, std::int64_t major) const;
  // Calls visit(block, first lane, end lane) for what lies on one major index, lanes ascending, until it
  // returns false.
  template <typename Visit>
  void visit_major(std::int64_t major, const Visit& visit) const;

  Shape shape_;
  Geometry geometry_;
  std::int64_t blocks_ = 0;
  std::int64_t words_ = 0;
  bool holes_inside_ = false;
};

}  // namespace ergon::systolic
