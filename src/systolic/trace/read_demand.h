#pragma once

#include <cstdint>

#include "systolic/array/mapping.h"
#include "systolic/trace/operand_stream.h"

namespace ergon::systolic {

// Which words of an operand the array requests in which line. Each fold requests one block of the stream:
//
//   staggered   the whole block; the word (row, lane) in line first_line + row + lane of the fold. This is
//               the order of the stream within the block.
//   loaded      `array.rows` rows of the block, last row first, one row per line, before the others stream:
//               the stationary operand.
class ReadDemand {
 public:
  static ReadDemand of_ifmap(const Geometry& geometry, const Mapping& mapping);
  static ReadDemand of_filter(const Geometry& geometry, const Mapping& mapping);

  const Mapping& mapping() const { return mapping_; }
  const Geometry& geometry() const { return geometry_; }
  const OperandStream& stream() const { return stream_; }
  bool staggered() const { return stream_.by_diagonals(); }
  // True if words occur at several positions of the stream.
  bool shares_words() const { return is_ifmap_ && geometry_.shares_inputs(); }
  bool is_ifmap() const { return is_ifmap_; }

  std::int64_t block_of(std::int64_t fold) const {
    return by_row_fold_ ? fold % mapping_.row_folds : fold / mapping_.row_folds;
  }
  // The previous fold that requested the same words, or -1.
  std::int64_t previous_fold(std::int64_t fold) const;
  // The fold that requests the word (block, row) in the same pass over the stream as `fold`.
  std::int64_t fold_of(std::int64_t fold, std::int64_t block, std::int64_t row) const;
  // Rows of its block that a fold requests.
  std::int64_t first_row(std::int64_t fold) const;
  std::int64_t end_row(std::int64_t fold) const;

  // Line within the fold.
  std::int64_t line_of(std::int64_t row, std::int64_t lane) const {
    if (staggered()) return first_line_ + row + lane;
    return mapping_.array.rows - 1 - row % mapping_.array.rows;
  }

  // The first and the last line of the layer that request a word.
  std::int64_t first_request() const;
  std::int64_t last_request() const;

 private:
  ReadDemand(const Geometry& geometry, const Mapping& mapping, const OperandStream& stream, bool is_ifmap,
             bool by_row_fold, std::int64_t first_line);

  // The last line of a fold with a word, or -1.
  std::int64_t last_line_in(std::int64_t fold) const;

  Mapping mapping_;
  Geometry geometry_;
  OperandStream stream_;
  bool is_ifmap_;
  bool by_row_fold_;
  std::int64_t first_line_;
};

}  // namespace ergon::systolic
