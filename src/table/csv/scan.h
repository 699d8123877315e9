#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ergon::table::csv {

// Line ends of one piece of text under both assumptions: it begins outside or inside a quoted field.
struct PieceScan {
  std::uint64_t line_ends[2] = {0, 0};  // outside quotes if the piece begins outside [0] or inside [1] them
  std::size_t first_line_end[2] = {kNowhere, kNowhere};
  bool odd_quotes = false;  // the piece begins inside and ends outside quotes, or the reverse

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

// Finds the rows that begin in every piece. The pieces are scanned in any order and resolved in sequence: the
// parity of all quotes before a piece tells whether it begins inside quotes. This is exact as long as quotes
// appear only where RFC 4180 allows them; otherwise everything up to the first violation is still correct.
std::vector<PieceRows> resolve_rows(std::string_view text, std::size_t piece_size,
                                    const std::vector<PieceScan>& scans);

}  // namespace ergon::table::csv
