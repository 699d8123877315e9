// Instead of looking up every requested word, this walk jumps from miss to miss.
//
// A fold requests words in stream order. Requests inside the window are hits, and the next candidate for a
// miss is the first word of the block after the window's end, found by arithmetic. If no word occurs twice in
// the stream, that candidate is the miss.
//
// The input words of a convolution occur several times in the stream, and a word after the window's end may
// be held at another of its positions. Each lane is then followed run by run (occurrences.h): the window
// covers an interval of offsets of every run. The first uncovered offset is the lane's next miss, and the
// earliest over all lanes is the miss.
//
// The stationary operand is loaded row by row, last row first; the walk is the same with rows descending.

#include "systolic/trace/window_walk.h"

#include <limits>
#include <optional>

#include "base/contract.h"
#include "systolic/trace/occurrences.h"

namespace ergon::systolic {
namespace {

using Interval = PrefetchWindow::Interval;

// A word within the block that the fold requests.
struct Cell {
  std::int64_t row = 0, lane = 0;
};

class WindowWalk {
 public:
  WindowWalk(const ReadDemand& demand, const PrefetchPlan& plan)
      : demand_(demand), stream_(demand.stream()), plan_(plan), window_(plan, stream_) {}

  MissList run(const std::stop_token& stop) {
    const std::int64_t folds = demand_.mapping().folds();
    for (std::int64_t fold = 0; fold < folds && !stop.stop_requested() && !too_many(); ++fold) {
      walk_fold(fold, stop);
    }
    return std::move(misses_);
  }

 private:
  bool too_many() const { return misses_.size() > kMaxMisses; }

  void walk_fold(std::int64_t fold, const std::stop_token& stop) {
    block_ = demand_.block_of(fold);
    lanes_ = stream_.lanes_of(block_);
    first_row_ = demand_.first_row(fold);
    end_row_ = demand_.end_row(fold);
    Cell from = demand_.staggered() ? Cell{0, 0} : Cell{end_row_ - 1, 0};
    while (const auto miss = next_miss(from)) {
      const std::int64_t line =
          fold * demand_.mapping().lines_per_fold + demand_.line_of(miss->row, miss->lane);
      misses_.add({line, move_until_held(*miss)});
      from = *miss;
      if (stop.stop_requested() || too_many()) return;
    }
  }

  std::optional<Cell> next_miss(const Cell& from) const {
    if (demand_.shares_words()) {
      return demand_.staggered() ? staggered_shared(from) : loaded_shared(from);
    }
    return demand_.staggered() ? staggered_alone(from) : loaded_alone(from);
  }

  StreamPosition position(const Cell& cell) const { return stream_.position({block_, cell.row, cell.lane}); }

  const Interval* interval_with(const StreamPosition& position) const {
    for (const Interval& interval : window_.intervals()) {
      if (interval.contains(position)) return &interval;
    }
    return nullptr;
  }

  // --- words that occur once in the stream ---

  std::optional<Cell> staggered_alone(Cell cell) const {
    for (;;) {
      if (is_hole(cell)) {
        const auto next = first_cell_from({position(cell).major, cell.lane + 1});
        if (!next) return std::nullopt;
        cell = *next;
        continue;
      }
      const Interval* held = interval_with(position(cell));
      if (held == nullptr) return cell;
      const auto next = first_cell_from(held->end);
      if (!next) return std::nullopt;
      cell = *next;
    }
  }

  // The block's first slot at or after a position.
  std::optional<Cell> first_cell_from(const StreamPosition& from) const {
    const std::int64_t top = block_ * stream_.rows();
    if (from.major < top) return Cell{0, 0};
    std::int64_t diagonal = from.major - top, lane = from.minor;
    for (int attempt = 0; attempt < 2; ++attempt, ++diagonal, lane = 0) {
      lane = std::max(lane, diagonal - stream_.rows() + 1);
      if (lane <= std::min(lanes_ - 1, diagonal)) return Cell{diagonal - lane, lane};
    }
    return std::nullopt;
  }

  std::optional<Cell> loaded_alone(Cell cell) const {
    for (; cell.row >= first_row_; --cell.row, cell.lane = 0) {
      while (cell.lane < lanes_) {
        if (is_hole(cell)) {
          ++cell.lane;
          continue;
        }
        const StreamPosition at = position(cell);
        const Interval* held = interval_with(at);
        if (held == nullptr) return cell;
        cell.lane = held->end.major > at.major ? lanes_ : held->end.minor;
      }
    }
    return std::nullopt;
  }

  // --- words that occur several times in the stream ---

  // The earliest miss: smallest row + lane, then smallest lane.
  std::optional<Cell> staggered_shared(const Cell& from) const {
    const std::int64_t now = from.row + from.lane;
    std::optional<Cell> best;
    std::int64_t best_line = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      const std::int64_t row = std::max<std::int64_t>(0, now - lane + (lane < from.lane ? 1 : 0));
      // A later lane is earlier only in an earlier line.
      const std::int64_t end = std::min(end_row_, best_line - lane);
      const std::int64_t miss = first_uncovered(lane, row, end);
      if (miss >= end) continue;
      best = Cell{miss, lane};
      best_line = miss + lane;
    }
    return best;
  }

  // The largest row, then the smallest lane.
  std::optional<Cell> loaded_shared(const Cell& from) const {
    std::optional<Cell> best;
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      const std::int64_t row = lane < from.lane ? from.row - 1 : from.row;
      const std::int64_t least = best ? best->row + 1 : first_row_;
      const std::int64_t miss = last_uncovered(lane, row, least);
      if (miss >= least) best = Cell{miss, lane};
    }
    return best;
  }

  // Rows of a lane of a block that an interval of the window holds: [begin, end), not cut to the block.
  struct Rows {
    std::int64_t begin, end;
  };
  Rows rows_held(const Interval& interval, std::int64_t block, std::int64_t lane) const {
    const std::int64_t zero = block * stream_.rows() + (stream_.by_diagonals() ? lane : 0);
    return {interval.begin.major + (lane < interval.begin.minor ? 1 : 0) - zero,
            interval.end.major + (lane < interval.end.minor ? 1 : 0) - zero};
  }

  // A run of words along a lane of the current block, from row `first` of the block on.
  template <typename Visit>
  void visit_run(std::int64_t lane, std::int64_t row, const Visit& visit) const {
    const Geometry& g = demand_.geometry();
    const std::int64_t index = block_ * stream_.width() + lane;
    if (stream_.axis() == LaneAxis::positions) {
      const TapRun run = tap_run(g, index, row);
      visit(run, run.tap, run.length, g.words_per_filter_row());
    } else {
      const PositionRun run = position_run(g, index, row);
      visit(run, run.position, run.length, g.output_width);
    }
  }

  // Calls visit(begin, end) for the offsets of a run that the window holds at one of their occurrences.
  template <typename Run, typename Visit>
  void visit_covered(const Run& run, const Visit& visit) const {
    visit_occurrences(demand_.geometry(), run, [&](const Occurrence& other) {
      const bool by_position = stream_.axis() == LaneAxis::positions;
      const std::int64_t index = by_position ? other.position : other.tap;
      const std::int64_t row = by_position ? other.tap : other.position;
      const std::int64_t block = index / stream_.width(), lane = index % stream_.width();
      for (const Interval& interval : window_.intervals()) {
        const Rows rows = rows_held(interval, block, lane);
        const std::int64_t begin = std::max(other.first, rows.begin - row);
        const std::int64_t end = std::min(other.end, rows.end - row);
        if (begin < end) visit(begin, end);
      }
    });
  }

  // The first row in [row, end) whose word the window does not hold; `end` when there is none.
  std::int64_t first_uncovered(std::int64_t lane, std::int64_t row, std::int64_t end) const {
    while (row < end) {
      const std::int64_t before = row;
      for (const Interval& interval : window_.intervals()) {
        const Rows held = rows_held(interval, block_, lane);
        if (held.begin <= row && row < held.end) row = held.end;
      }
      if (row != before) continue;
      bool miss = false;
      visit_run(lane, row, [&](const auto& run, std::int64_t first, std::int64_t length, std::int64_t span) {
        std::int64_t offset = row - first;
        for (bool moved = true; moved && offset < length;) {
          moved = false;
          visit_covered(run, [&](std::int64_t from, std::int64_t to) {
            if (from <= offset && offset < to) offset = to, moved = true;
          });
        }
        miss = offset < length;
        row = first + (miss ? offset : span);
      });
      if (miss) return std::min(row, end);
    }
    return end;
  }

  // The last row in [least, row] whose word the window does not hold; `least` - 1 when there is none.
  std::int64_t last_uncovered(std::int64_t lane, std::int64_t row, std::int64_t least) const {
    while (row >= least) {
      const std::int64_t before = row;
      for (const Interval& interval : window_.intervals()) {
        const Rows held = rows_held(interval, block_, lane);
        if (held.begin <= row && row < held.end) row = held.begin - 1;
      }
      if (row != before) continue;
      bool miss = false;
      visit_run(lane, row, [&](const auto& run, std::int64_t first, std::int64_t length, std::int64_t) {
        std::int64_t offset = std::min(row - first, length - 1);
        for (bool moved = true; moved && offset >= 0;) {
          moved = false;
          visit_covered(run, [&](std::int64_t from, std::int64_t to) {
            if (from <= offset && offset < to) offset = from - 1, moved = true;
          });
        }
        miss = offset >= 0;
        row = first + offset;
      });
      if (miss) return std::max(row, least - 1);
    }
    return least - 1;
  }

  // --- advancing the window ---

  bool is_hole(const Cell& cell) const {
    if (!demand_.is_ifmap()) return false;
    const std::int64_t index = block_ * stream_.width() + cell.lane;
    return stream_.axis() == LaneAxis::positions ? demand_.geometry().is_missing(index, cell.row)
                                                 : demand_.geometry().is_missing(cell.row, index);
  }

  std::int64_t moves_until(const StreamWord& word) const {
    return window_.moves_until(stream_.rank_of(word) / plan_.set_words);
  }

  // Advances the window until it holds a word that it does not hold now. Returns the number of steps.
  std::int64_t move_until_held(const Cell& cell) {
    window_.move(1);
    if (interval_with(position(cell)) != nullptr) return 1;  // as nearly always
    const std::int64_t more = moves_until_held(cell);
    if (more > 0) window_.move(more);
    return 1 + more;
  }

  std::int64_t moves_until_held(const Cell& cell) const {
    if (!demand_.shares_words()) return moves_until({block_, cell.row, cell.lane});
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    visit_run(cell.lane, cell.row, [&](const auto& run, std::int64_t first, std::int64_t, std::int64_t) {
      const std::int64_t offset = cell.row - first;
      visit_occurrences(demand_.geometry(), run, [&](const Occurrence& other) {
        if (offset < other.first || offset >= other.end) return;
        const bool by_position = stream_.axis() == LaneAxis::positions;
        const std::int64_t index = by_position ? other.position : other.tap;
        const std::int64_t row = (by_position ? other.tap : other.position) + offset;
        least = std::min(least, moves_until({index / stream_.width(), row, index % stream_.width()}));
      });
    });
    return least;
  }

  const ReadDemand& demand_;
  const OperandStream& stream_;
  const PrefetchPlan& plan_;
  PrefetchWindow window_;
  MissList misses_;
  std::int64_t block_ = 0, lanes_ = 0, first_row_ = 0, end_row_ = 0;
};

}  // namespace

MissList walk_window(const ReadDemand& demand, const PrefetchPlan& plan, const std::stop_token& stop) {
  if (plan.holds_all()) return {};
  return WindowWalk(demand, plan).run(stop);
}

}  // namespace ergon::systolic
