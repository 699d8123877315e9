// A word is new, and fetched, when the epoch has not seen it yet: when the latest of its earlier requests
// came before the epoch began. Requests are moments, ordered by fold, line and lane.
//
// The requests of a fold are cut into segments along which moments grow one by one; all earlier requests of a
// segment's words are segments too (occurrences.h), so the words that an earlier request covers are an
// interval of offsets, and what no interval covers is new. Folds are counted whole until the one in which the
// epoch fills up; there the filling word is located exactly, and counting goes on behind it.

#include "systolic/epoch_walk.h"

#include <algorithm>
#include <compare>
#include <tuple>
#include <vector>

#include "base/contract.h"
#include "systolic/occurrences.h"

namespace ergon::systolic {
namespace {

struct Moment {
  std::int64_t fold = -1, line = 0, lane = 0;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

struct Offsets {
  std::int64_t begin, end;
};

class Walk {
 public:
  Walk(const ReadDemand& demand, const EpochPlan& plan)
      : demand_(demand), stream_(demand.stream()), plan_(plan) {}

  Epochs run() {
    const std::int64_t folds = demand_.mapping().folds();
    for (std::int64_t fold = 0; fold < folds; ++fold) {
      // All of the fold was asked for since the epoch began.
      if (demand_.previous_fold(fold) > epoch_start_.fold) continue;
      fold_ = fold;
      block_ = demand_.block_of(fold);
      if (demand_.staggered()) {
        walk_staggered();
      } else {
        walk_loaded();
      }
    }
    return epochs_;
  }

 private:
  // --- operands that flow: segments along the rows of a lane ---

  struct Fresh {
    std::int64_t lane, begin_line, end_line;
  };

  void walk_staggered() {
    for (;;) {
      fresh_.clear();
      std::int64_t words = 0;
      for (std::int64_t lane = 0; lane < stream_.lanes_of(block_); ++lane) words += add_fresh(lane);
      if (count_ + words < plan_.epoch_words) {
        epochs_.fetched += words;
        count_ += words;
        return;
      }
      fill_epoch(locate(plan_.epoch_words - count_));
    }
  }

  std::int64_t add_fresh(std::int64_t lane) {
    std::int64_t words = 0;
    // What the epoch has already seen of this lane in this fold.
    std::int64_t from = 0;
    if (epoch_start_.fold == fold_) {
      from = epoch_start_.line - demand_.line_of(0, lane) + (lane <= epoch_start_.lane ? 1 : 0);
    }
    visit_lane_segments(lane, [&](std::int64_t row, std::int64_t length) {
      const std::int64_t line = demand_.line_of(row, lane);
      words += visit_gaps(std::max<std::int64_t>(0, from - row), length, [&](const Offsets& gap) {
        fresh_.push_back({lane, line + gap.begin, line + gap.end});
      });
    });
    return words;
  }

  // Calls visit(row, length) for every segment of a lane, with `covered_` set to what it has seen.
  template <typename Visit>
  void visit_lane_segments(std::int64_t lane, const Visit& visit) {
    const Geometry& g = demand_.geometry();
    const std::int64_t index = block_ * stream_.width() + lane, rows = stream_.rows();
    if (!needs_runs()) {
      covered_.clear();
      cover(demand_.previous_fold(fold_), demand_.line_of(0, lane), lane, {0, rows});
      visit(std::int64_t{0}, rows);
    } else if (stream_.axis() == LaneAxis::places) {
      for (std::int64_t row = 0; row < rows; row += g.words_per_filter_row()) {
        const TapRun run = tap_run(g, index, row);
        cover_occurrences(run, lane, row);
        visit(row, run.length);
      }
    } else {
      for (std::int64_t row = 0; row < rows; row += g.output_width) {
        const PlaceRun run = place_run(g, index, row);
        cover_occurrences(run, lane, row);
        visit(row, run.length);
      }
    }
  }

  bool needs_runs() const {
    return demand_.is_ifmap() && (demand_.shares_words() || demand_.geometry().has_missing());
  }

  template <typename Run>
  void cover_occurrences(const Run& run, std::int64_t lane, std::int64_t row) {
    covered_.clear();
    const Moment here{fold_, demand_.line_of(row, lane), lane};
    visit_occurrences(demand_.geometry(), run, [&](const Occurrence& other) {
      const bool by_place = stream_.axis() == LaneAxis::places;
      const std::int64_t index = by_place ? other.place : other.tap;
      const std::int64_t other_row = by_place ? other.tap : other.place;
      const std::int64_t block = index / stream_.width(), other_lane = index % stream_.width();
      // Both move on together, so what is earlier at offset 0 is earlier everywhere.
      Moment then{demand_.fold_of(fold_, block, other_row), demand_.line_of(other_row, other_lane),
                  other_lane};
      if (!(then < here)) then.fold = demand_.previous_fold(then.fold);
      cover(then.fold, then.line, other_lane, {other.first, other.end});
    });
  }

  // Offsets that were asked for in (fold, line + offset, lane), as far as that was in this epoch.
  void cover(std::int64_t fold, std::int64_t line, std::int64_t lane, Offsets offsets) {
    if (fold < 0 || fold < epoch_start_.fold) return;
    if (fold == epoch_start_.fold) {
      const std::int64_t seen = epoch_start_.line - line + (lane > epoch_start_.lane ? 0 : 1);
      offsets.begin = std::max(offsets.begin, seen);
    }
    if (offsets.begin < offsets.end) covered_.push_back(offsets);
  }

  // The moment of the fold's fresh word number `wanted`, counted from 1.
  Moment locate(std::int64_t wanted) {
    per_line_.assign(static_cast<std::size_t>(demand_.mapping().lines_per_fold) + 1, 0);
    for (const Fresh& piece : fresh_) {
      ++per_line_[static_cast<std::size_t>(piece.begin_line)];
      --per_line_[static_cast<std::size_t>(piece.end_line)];
    }
    std::int64_t line = 0, alive = per_line_[0], before = 0;
    while (before + alive < wanted) {
      before += alive;
      alive += per_line_[static_cast<std::size_t>(++line)];
    }
    std::int64_t left = wanted - before;
    for (const Fresh& piece : fresh_) {
      if (piece.begin_line <= line && line < piece.end_line && --left == 0) return {fold_, line, piece.lane};
    }
    return ERGON_EXPECTS(false), Moment{};
  }

  // --- the operand that stays: segments along the lanes of a row ---

  void walk_loaded() {
    for (std::int64_t row = demand_.end_row(fold_) - 1; row >= demand_.first_row(fold_); --row) {
      const std::int64_t lanes = stream_.lanes_of(block_);
      for (std::int64_t lane = 0; lane < lanes;) lane = walk_row_segment(row, lane, lanes);
    }
  }

  // Counts the segment that begins at a lane, up to its end or to the word that fills the epoch; the lane
  // behind that.
  std::int64_t walk_row_segment(std::int64_t row, std::int64_t lane, std::int64_t lanes) {
    const Geometry& g = demand_.geometry();
    covered_.clear();
    std::int64_t length = lanes - lane, span = length;
    if (needs_runs()) {
      const std::int64_t place = block_ * stream_.width() + lane;
      const PlaceRun run = place_run(g, row, place);
      const std::int64_t skipped = place - run.place;
      span = std::min(span, g.output_width - skipped);
      length = std::clamp<std::int64_t>(run.length - skipped, 0, span);
      visit_occurrences(g, run, [&](const Occurrence& other) {
        cover_loaded({other.place + skipped, other.tap, other.first - skipped, other.end - skipped}, row,
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
      const std::int64_t block = (other.place + begin) / width;
      const std::int64_t block_end = std::min(end, (block + 1) * width - other.place);
      const Moment then{demand_.fold_of(fold_, block, other.tap), line, other.place + begin - block * width};
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

  // Calls visit(Offsets) for what `covered_` leaves of [begin, end); the offsets in all gaps together.
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
  Moment epoch_start_;      // the word that filled the epoch before; everything up to it is forgotten
  std::int64_t fold_ = 0, block_ = 0;
  std::vector<Offsets> covered_;
  std::vector<Fresh> fresh_;
  std::vector<std::int64_t> per_line_;
};

}  // namespace

Epochs walk_epochs(const ReadDemand& demand, const EpochPlan& plan) {
  const Geometry& g = demand.geometry();
  const std::int64_t distinct = demand.is_ifmap() ? g.distinct_inputs() : g.taps * g.filters;
  if (distinct < plan.epoch_words) return {distinct, std::nullopt, std::nullopt};
  return Walk(demand, plan).run();
}

}  // namespace ergon::systolic
