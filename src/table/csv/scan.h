#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ergon::table::csv {

// What one piece of the text looks like before it is known whether it begins inside a quoted field: both
// answers.
struct PieceScan {
  std::uint64_t line_ends[2] = {0, 0};  // outside quotes if the piece begins outside [0] or inside [1] them
  std::size_t first_line_end[2] = {kNowhere, kNowhere};
  bool odd_quotes = false;  // the piece ends on the other side than it began

  static constexpr std::size_t kNowhere = SIZE_MAX;
};

PieceScan scan_piece(std::string_view piece);

// The rows that begin in one piece. Row numbers and offsets count from the beginning of the scanned text.
struct PieceRows {
  std::size_t begin = 0;      // offset of the first row that begins here
  std::size_t limit = 0;      // rows that begin before this offset belong to the piece
  std::size_t first_row = 0;  // number of that first row
  std::size_t rows = 0;       // blank lines included
};

// Says for every piece which rows begin in it. The pieces are scanned in any order and resolved in sequence:
// whether a piece begins inside quotes is the parity of all the quotes before it. That is exact as long as
// quotes appear only where RFC 4180 allows them, and where they do not, everything up to the first offence is
// still right.
std::vector<PieceRows> resolve_rows(std::string_view text, std::size_t piece_size,
                                    const std::vector<PieceScan>& scans);

}  // namespace ergon::table::csv
