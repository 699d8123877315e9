// A word is new, and fetched, if the current epoch has not requested it yet: if its latest earlier request
// was before the epoch began. Requests are ordered by fold, line and lane (a Moment).
//
// The requests of a fold are cut into segments along which moments grow one by one; all earlier requests of a
// segment's words are segments too (occurrences.h). So the words covered by an earlier request are an
// interval of offsets, and uncovered offsets are new. New words are counted over many lines at once. When the
// epoch becomes full, the word that fills it is located exactly, and counting continues after it.

#include "systolic/trace/epoch_walk.h"

#include <algorithm>
#include <compare>
#include <tuple>
#include <vector>

#include "base/contract.h"
#include "systolic/trace/occurrences.h"

namespace ergon::systolic {
namespace {

struct Moment {
  std::int64_t fold = -1, line = 0, lane = 0;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

struct Offsets {
  std::int64_t begin, end;
};

class EpochWalk {
 public:
  EpochWalk(const ReadDemand& demand, const EpochPlan& plan)
      : demand_(demand), stream_(demand.stream()), plan_(plan) {}

  Epochs run(const std::stop_token& stop) {
    const std::int64_t folds = demand_.mapping().folds();
    for (std::int64_t fold = 0; fold < folds && !stop.stop_requested(); ++fold) {
      // The whole fold was requested since the epoch began.
      if (demand_.previous_fold(fold) > epoch_start_.fold) continue;
      fold_ = fold;
      block_ = demand_.block_of(fold);
      if (demand_.staggered() && !needs_runs()) {
        walk_alone(stop);
      } else if (demand_.staggered()) {
        walk_staggered(stop);
      } else {
        walk_loaded(stop);
      }
    }
    return epochs_;
  }

 private:
  bool needs_runs() const {
    return demand_.is_ifmap() && (demand_.shares_words() || demand_.geometry().has_missing());
  }

  // --- streaming operands in which every word occurs once ---

  // Folds with the same block request words in the same order. The new words are then a single range of that
  // order, and all of its epochs but the last can be skipped.
  void walk_alone(const std::stop_token& stop) {
    const std::int64_t lanes = stream_.lanes_of(block_), rows = stream_.rows();
    const OperandStream order(
        {OperandStream::Order::by_diagonals, LaneAxis::filters, lanes, rows, lanes, false},
        demand_.geometry());
    const std::int64_t first_line = demand_.line_of(0, 0);
    std::int64_t begin = 0, end = order.words();
    if (demand_.previous_fold(fold_) == epoch_start_.fold && epoch_start_.fold >= 0) {
      const std::int64_t row = epoch_start_.line - first_line - epoch_start_.lane;
      end = order.rank_of({0, row, epoch_start_.lane}) + 1;
    }
    while (count_ + (end - begin) >= plan_.epoch_words && !stop.stop_requested()) {
      begin += plan_.epoch_words - count_ - 1;  // the word that fills the epoch
      // From here on everything is new to the end of the fold.
      end = order.words();
      const std::int64_t more = (end - begin - 1) / plan_.epoch_words;
      if (plan_.epoch_words > lanes && more > 0) {
        epochs_.fetched += plan_.epoch_words - count_ + (more - 1) * plan_.epoch_words;
        count_ = 0;
        begin += more * plan_.epoch_words;
      }
      const StreamPosition position = order.position_of_rank(begin++);
      fill_epoch({fold_, first_line + position.major, position.minor});
    }
    epochs_.fetched += end - begin;
    count_ += end - begin;
  }

  // --- streaming operands: segments along the rows of a lane ---

  struct Fresh {
    std::int64_t lane, begin_line, end_line;
  };

  // A few lines at a time: no more than it takes to fill the epoch at the very fastest.
  void walk_staggered(const std::stop_token& stop) {
    const std::int64_t lanes = stream_.lanes_of(block_);
    const std::int64_t end = demand_.line_of(stream_.rows() - 1, lanes - 1) + 1;
    for (std::int64_t line = demand_.line_of(0, 0); line < end && !stop.stop_requested();) {
      const std::int64_t limit = std::min(end, line + (plan_.epoch_words - count_) / lanes + 1);
      fresh_.clear();
      std::int64_t words = 0;
      for (std::int64_t lane = 0; lane < lanes; ++lane) words += add_fresh(lane, line, limit);
      if (count_ + words < plan_.epoch_words) {
        epochs_.fetched += words;
        count_ += words;
        line = limit;
      } else {
        const Moment full = locate(plan_.epoch_words - count_, line, limit);
        fill_epoch(full);
        line = full.line;
      }
    }
  }

  // New words of a lane in lines [line, limit).
  std::int64_t add_fresh(std::int64_t lane, std::int64_t line, std::int64_t limit) {
    const std::int64_t zero = demand_.line_of(0, lane);
    std::int64_t from = std::max<std::int64_t>(0, line - zero);
    const std::int64_t to = std::min(stream_.rows(), limit - zero);
    // The part of this fold that the previous epoch requested.
    if (epoch_start_.fold == fold_) {
      from = std::max(from, epoch_start_.line - zero + (lane <= epoch_start_.lane ? 1 : 0));
    }
    if (from >= to) return 0;
    std::int64_t words = 0;
    visit_lane_segments(lane, from, to, [&](std::int64_t row, std::int64_t length) {
      const std::int64_t begin = std::max<std::int64_t>(0, from - row);
      words += visit_gaps(begin, std::min(length, to - row), [&](const Offsets& gap) {
        fresh_.push_back({lane, zero + row + gap.begin, zero + row + gap.end});
      });
    });
    return words;
  }

  // Calls visit(row, length) for every segment of a lane with rows in [from, to), with `covered_` set to the
  // offsets that the epoch has requested.
  template <typename Visit>
  void visit_lane_segments(std::int64_t lane, std::int64_t from, std::int64_t to, const Visit& visit) {
    const Geometry& g = demand_.geometry();
    const std::int64_t index = block_ * stream_.width() + lane;
    const bool by_position = stream_.axis() == LaneAxis::positions;
    const std::int64_t span = by_position ? g.words_per_filter_row() : g.output_width;
    for (std::int64_t row = from / span * span; row < to; row += span) {
      if (by_position) {
        const TapRun run = tap_run(g, index, row);
        cover_occurrences(run, lane, row);
        visit(row, run.length);
      } else {
        const PositionRun run = position_run(g, index, row);
        cover_occurrences(run, lane, row);
        visit(row, run.length);
      }
    }
  }

  template <typename Run>
  void cover_occurrences(const Run& run, std::int64_t lane, std::int64_t row) {
    covered_.clear();
    const Moment here{fold_, demand_.line_of(row, lane), lane};
    visit_occurrences(demand_.geometry(), run, [&](const Occurrence& other) {
      const bool by_position = stream_.axis() == LaneAxis::positions;
      const std::int64_t index = by_position ? other.position : other.tap;
      const std::int64_t other_row = by_position ? other.tap : other.position;
      const std::int64_t block = index / stream_.width(), other_lane = index % stream_.width();
      // Both advance together, so the order at offset 0 is the order everywhere.
      Moment then{demand_.fold_of(fold_, block, other_row), demand_.line_of(other_row, other_lane),
                  other_lane};
      if (!(then < here)) then.fold = demand_.previous_fold(then.fold);
      cover(then.fold, then.line, other_lane, {other.first, other.end});
    });
  }

  // Offsets requested at (fold, line + offset, lane), as far as that was in this epoch.
  void cover(std::int64_t fold, std::int64_t line, std::int64_t lane, Offsets offsets) {
    if (fold < 0 || fold < epoch_start_.fold) return;
    if (fold == epoch_start_.fold) {
      const std::int64_t seen = epoch_start_.line - line + (lane > epoch_start_.lane ? 0 : 1);
      offsets.begin = std::max(offsets.begin, seen);
    }
    if (offsets.begin < offsets.end) covered_.push_back(offsets);
  }

  // The moment of new word number `wanted`, counted from 1, among those found in lines [first, limit).
  Moment locate(std::int64_t wanted, std::int64_t first, std::int64_t limit) {
    per_line_.assign(static_cast<std::size_t>(limit - first) + 1, 0);
    for (const Fresh& piece : fresh_) {
      ++per_line_[static_cast<std::size_t>(piece.begin_line - first)];
      --per_line_[static_cast<std::size_t>(piece.end_line - first)];
    }
    std::int64_t line = first, alive = per_line_[0], before = 0;
    while (before + alive < wanted) {
      before += alive;
      alive += per_line_[static_cast<std::size_t>(++line - first)];
    }
    std::int64_t left = wanted - before;
    for (const Fresh& piece : fresh_) {
      if (piece.begin_line <= line && line < piece.end_line && --left == 0) return {fold_, line, piece.lane};
    }
    return ERGON_EXPECTS(false), Moment{};
  }

  // --- the stationary operand: segments along the lanes of a row ---

  void walk_loaded(const std::stop_token& stop) {
    for (std::int64_t row = demand_.end_row(fold_) - 1; row >= demand_.first_row(fold_); --row) {
      const std::int64_t lanes = stream_.lanes_of(block_);
      for (std::int64_t lane = 0; lane < lanes && !stop.stop_requested();) {
        lane = walk_row_segment(row, lane, lanes);
      }
    }
  }

  // Counts the segment that begins at a lane, up to its end or to the word that fills the epoch. Returns the
  // next lane.
  std::int64_t walk_row_segment(std::int64_t row, std::int64_t lane, std::int64_t lanes) {
    const Geometry& g = demand_.geometry();
    covered_.clear();
    std::int64_t length = lanes - lane, span = length;
    if (needs_runs()) {
      const std::int64_t position = block_ * stream_.width() + lane;
      const PositionRun run = position_run(g, row, position);
      const std::int64_t skipped = position - run.position;
      span = std::min(span, g.output_width - skipped);
      length = std::clamp<std::int64_t>(run.length - skipped, 0, span);
      visit_occurrences(g, run, [&](const Occurrence& other) {
        cover_loaded({other.position + skipped, other.tap, other.first - skipped, other.end - skipped}, row,
                     length);
      });
    }
    std::optional<std::int64_t> full;
    visit_gaps(0, length, [&](const Offsets& gap) {
      if (full) return;
      const std::int64_t words = std::min(gap.end - gap.begin, plan_.epoch_words - count_);
      if (count_ + words == plan_.epoch_words) {
        full = gap.begin + words - 1;
        return;
      }
      count_ += words;
      epochs_.fetched += words;
    });
    if (!full) return lane + span;
    fill_epoch({fold_, demand_.line_of(row, 0), lane + *full});
    return lane + *full + 1;
  }

  void cover_loaded(const Occurrence& other, std::int64_t row, std::int64_t length) {
    const std::int64_t width = stream_.width();
    const std::int64_t line = demand_.line_of(other.tap, 0);
    std::int64_t begin = std::max<std::int64_t>(0, other.first);
    const std::int64_t end = std::min(length, other.end);
    while (begin < end) {
      const std::int64_t block = (other.position + begin) / width;
      const std::int64_t block_end = std::min(end, (block + 1) * width - other.position);
      const Moment then{demand_.fold_of(fold_, block, other.tap), line,
                        other.position + begin - block * width};
      const Moment here{fold_, demand_.line_of(row, 0), 0};
      const bool earlier = std::tie(then.fold, then.line) < std::tie(here.fold, here.line);
      if (earlier) {
        const auto when = std::tie(then.fold, then.line) <=> std::tie(epoch_start_.fold, epoch_start_.line);
        std::int64_t from = begin;
        if (when == 0) from += std::max<std::int64_t>(0, epoch_start_.lane + 1 - then.lane);
        if (when >= 0 && from < block_end) covered_.push_back({from, block_end});
      }
      begin = block_end;
    }
  }

  // --- both ---

  // Calls visit(Offsets) for every gap that `covered_` leaves in [begin, end). Returns the total length.
  template <typename Visit>
  std::int64_t visit_gaps(std::int64_t begin, std::int64_t end, const Visit& visit) {
    std::sort(covered_.begin(), covered_.end(),
              [](const Offsets& a, const Offsets& b) { return a.begin < b.begin; });
    std::int64_t total = 0;
    for (const Offsets& seen : covered_) {
      if (begin >= end) return total;
      if (seen.begin > begin) {
        const Offsets gap{begin, std::min(seen.begin, end)};
        total += gap.end - gap.begin;
        visit(gap);
      }
      begin = std::max(begin, seen.end);
    }
    if (begin < end) {
      total += end - begin;
      visit(Offsets{begin, end});
    }
    return total;
  }

  void fill_epoch(const Moment& moment) {
    epochs_.fetched += plan_.epoch_words - count_;
    count_ = 0;
    const std::int64_t line = moment.fold * demand_.mapping().lines_per_fold + moment.line;
    if (epochs_.last_full == line && !epochs_.first_double) epochs_.first_double = line;
    epochs_.last_full = line;
    epoch_start_ = moment;
  }

  const ReadDemand& demand_;
  const OperandStream& stream_;
  const EpochPlan& plan_;
  Epochs epochs_;
  std::int64_t count_ = 0;  // words of this epoch
  Moment epoch_start_;      // the word that filled the previous epoch; everything up to it is cleared
  std::int64_t fold_ = 0, block_ = 0;
  std::vector<Offsets> covered_;
  std::vector<Fresh> fresh_;
  std::vector<std::int64_t> per_line_;
};

}  // namespace

Epochs walk_epochs(const ReadDemand& demand, const EpochPlan& plan, const std::stop_token& stop) {
  const Geometry& g = demand.geometry();
  const std::int64_t distinct = demand.is_ifmap() ? g.distinct_inputs() : g.taps * g.filters;
  if (distinct < plan.epoch_words) return {distinct, std::nullopt, std::nullopt};
  return EpochWalk(demand, plan).run(stop);
}

}  // namespace ergon::systolic
