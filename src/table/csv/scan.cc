#include "table/csv/scan.h"

#include <algorithm>
#include <bit>

#include "table/csv/bitmask.h"

namespace ergon::table::csv {

PieceScan scan_piece(std::string_view piece) {
  PieceScan scan;
  std::uint64_t inside_carry = 0;  // all ones while the block before ended inside quotes
  for (std::size_t at = 0; at < piece.size(); at += kBlock) {
    const Block block = block_at(piece, at);
    const std::uint64_t line_ends = block.equal_to('\n');
    const std::uint64_t quotes = block.equal_to('"');
    const std::uint64_t inside = (quotes != 0 ? prefix_parity(quotes) : 0) ^ inside_carry;
    inside_carry = spread_last_bit(inside);
    const std::uint64_t outside_line_ends[2] = {line_ends & ~inside, line_ends & inside};
    for (int start = 0; start < 2; ++start) {
      const std::uint64_t ends = outside_line_ends[start];
      if (ends == 0) continue;
      scan.line_ends[start] += count_few(ends);
      if (scan.first_line_end[start] == PieceScan::kNowhere) {
        scan.first_line_end[start] = at + static_cast<std::size_t>(std::countr_zero(ends));
      }
    }
  }
  scan.odd_quotes = inside_carry != 0;
  return scan;
}

std::vector<PieceRows> resolve_rows(std::string_view text, std::size_t piece_size,
                                    const std::vector<PieceScan>& scans) {
  // A row begins after each line end outside quotes, and at the start of the text.
  std::vector<PieceRows> pieces;
  std::size_t rows_so_far = 0;
  bool inside = false;
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const std::size_t piece_begin = i * piece_size;
    const std::size_t piece_end = std::min(piece_begin + piece_size, text.size());
    const std::size_t first_end = scans[i].first_line_end[inside];
    PieceRows piece{.begin = text.size(), .limit = piece_end + 1, .first_row = rows_so_far};
    piece.rows = scans[i].line_ends[inside];
    if (first_end != PieceScan::kNowhere) piece.begin = piece_begin + first_end + 1;
    if (i == 0 && !text.empty()) {
      piece.begin = 0;
      ++piece.rows;
    }
    rows_so_far += piece.rows;
    inside ^= scans[i].odd_quotes;
    pieces.push_back(piece);
  }
  // No row begins after the last line end.
  if (!pieces.empty() && !inside && text.ends_with('\n')) --pieces.back().rows;
  return pieces;
}

}  // namespace ergon::table::csv
