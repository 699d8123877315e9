#include "systolic/replay/shared_channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "systolic/replay/layer_timing.h"
#include "systolic/trace/epoch_walk.h"

namespace ergon::systolic {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// One memory channel, first come, first served.
class Channel {
 public:
  explicit Channel(double words_per_cycle) : words_per_cycle_(words_per_cycle) {}

  double cycles(std::int64_t words) const { return std::ceil(static_cast<double>(words) / words_per_cycle_); }

  struct Transfer {
    double start, end;  // [start, end)
  };
  Transfer transfer(std::int64_t words, double asked_at) { return transfer_pieces(1, words, asked_at); }

  // Consecutive pieces of equal size.
  Transfer transfer_pieces(std::int64_t pieces, std::int64_t words, double asked_at) {
    const double start = std::max(asked_at, free_at_);
    free_at_ = start + static_cast<double>(pieces) * cycles(words);
    return {start, free_at_};
  }

 private:
  double words_per_cycle_;
  double free_at_ = 0;
};

// A read scratchpad: one half serves the array, the other receives the next piece.
class ReadHalves {
 public:
  explicit ReadHalves(const ReadSchedule& schedule)
      : schedule_(schedule), next_(schedule.misses), pieces_left_(schedule.misses.moves()) {
    filled_words_ = schedule.plan.words_of(0, schedule.plan.active);
    next_set_ = schedule.plan.active % schedule.plan.sets;
  }

  std::int64_t filled_words() const { return filled_words_; }
  std::int64_t next_miss() const { return next_.done() ? kNever : next_->line; }

  // Requests the next piece, if another one is needed.
  void ask(Channel& channel, double now) { ask(channel, now, 1); }

  // Advances as many pieces as the line needs. Returns the cycle at which its data are available.
  double serve(Channel& channel, std::int64_t line, double now) {
    if (next_miss() != line) return now;
    const std::int64_t moves = next_->moves;
    next_.advance();
    // The piece in flight, then all but one of the pieces requested in this line.
    now = std::max(now, ready_);
    ask(channel, now, moves - 1);
    if (moves > 1) now = ready_;
    ask(channel, now);
    return now;
  }

  Accesses dram(double fill_start, double fill_end) const {
    const double end = fetched_words_ > 0 ? last_end_ : fill_end;
    return {whole(fill_start), whole(end - 1), filled_words_ + fetched_words_};
  }

 private:
  void ask(Channel& channel, double now, std::int64_t pieces) {
    pieces = std::min(pieces, pieces_left_);
    if (pieces == 0) return;
    pieces_left_ -= pieces;
    // In each pass over the stream one piece contains the last set, which is not full.
    const PrefetchPlan& plan = schedule_.plan;
    const std::int64_t end = next_set_ + pieces * plan.prefetched;
    const std::int64_t short_pieces = end / plan.sets;
    const std::int64_t full_words = plan.prefetched * plan.set_words;
    const std::int64_t short_words = full_words - (plan.sets * plan.set_words - plan.words);
    ready_ = channel.transfer_pieces(pieces - short_pieces, full_words, now).end;
    if (short_pieces > 0) ready_ = channel.transfer_pieces(short_pieces, short_words, now).end;
    fetched_words_ += (pieces - short_pieces) * full_words + short_pieces * short_words;
    last_end_ = ready_;
    next_set_ = end % plan.sets;
  }

  const ReadSchedule& schedule_;
  MissList::Cursor next_;
  std::int64_t pieces_left_, next_set_ = 0;
  double ready_ = 0, last_end_ = 0;
  std::int64_t filled_words_ = 0, fetched_words_ = 0;
};

// The output scratchpad: one half collects outputs, the other drains.
class WriteHalves {
 public:
  WriteHalves(std::int64_t scratchpad_words, const OutputPattern& outputs)
      : outputs_(outputs), half_(scratchpad_words / 2) {
    locate();
  }

  std::int64_t next_full() const { return next_line_; }

  // Handles the halves that fill in this line. Returns the cycle at which the array can continue.
  double serve(Channel& channel, std::int64_t line, double now) {
    while (next_line_ == line) {
      now = std::max(now, out_);
      hand_over(channel, half_, now);
      handed_over_ += half_;
      locate();
    }
    return now;
  }

  void finish(Channel& channel, double now) {
    const std::int64_t rest = outputs_.total() - handed_over_;
    if (rest > 0) hand_over(channel, rest, std::max(now, out_));
  }

  Accesses dram() const { return {whole(start_), whole(out_ - 1), outputs_.total()}; }

 private:
  void hand_over(Channel& channel, std::int64_t words, double now) {
    const Channel::Transfer transfer = channel.transfer(words, now);
    if (!started_) start_ = transfer.start;
    started_ = true;
    out_ = transfer.end;
  }

  void locate() {
    const std::int64_t word = handed_over_ + half_ - 1;  // the word that fills the half
    next_line_ = word < outputs_.total() ? outputs_.line_of(word) : kNever;
  }

  const OutputPattern& outputs_;
  std::int64_t half_;
  std::int64_t handed_over_ = 0, next_line_ = 0;
  double out_ = 0, start_ = 0;
  bool started_ = false;
};

// A line whose cycle is reported, and the variable that receives it.
struct NamedLine {
  std::int64_t line;
  std::int64_t* cycle;
};

template <typename Schedule>
std::array<NamedLine, 6> named_lines(const Schedule& schedule, LayerTiming& timing) {
  return {{{schedule.ifmap.first_request, &timing.sram_ifmap.start},
           {schedule.ifmap.last_request, &timing.sram_ifmap.stop},
           {schedule.filter.first_request, &timing.sram_filter.start},
           {schedule.filter.last_request, &timing.sram_filter.stop},
           {schedule.outputs.first_line(), &timing.sram_ofmap.start},
           {schedule.outputs.last_line(), &timing.sram_ofmap.stop}}};
}

void count_scratchpads(const ScratchpadTraffic& traffic, LayerTiming& timing) {
  timing.sram_ifmap.words = traffic.ifmap_reads;
  timing.sram_filter.words = traffic.filter_reads;
  timing.sram_ofmap.words = traffic.ofmap_writes;
}

}  // namespace

namespace {

// The scratchpads and their channel, and when each line begins.
class SharedRun {
 public:
  SharedRun(const MissSchedule& schedule, double words_per_cycle, const Pace& pace)
      : schedule_(schedule),
        channel_(words_per_cycle),
        ifmap_(schedule.ifmap),
        filter_(schedule.filter),
        outputs_(schedule.machine.scratchpads.ofmap, schedule.outputs),
        pace_(pace),
        line_cycles_(pace.line),
        now_(pace.start),
        stalls_(pace.start) {
    ifmap_.ask(channel_, 0);
    filter_.ask(channel_, 0);
  }

  std::int64_t next_event() const {
    return std::min({ifmap_.next_miss(), filter_.next_miss(), outputs_.next_full(),
                     pace_.change ? pace_.change->after : kNever});
  }

  // The cycle at which this line continues. Contract: no event between the previous line and this one.
  double reach(std::int64_t line) {
    const double begin = now_ + static_cast<double>(line - line_) * line_cycles_;
    now_ = ifmap_.serve(channel_, line, begin);
    now_ = filter_.serve(channel_, line, now_);
    now_ = outputs_.serve(channel_, line, now_);
    if (pace_.change && line == pace_.change->after) {
      now_ = std::max(now_, begin + pace_.change->pause);
      line_cycles_ = pace_.change->line;
      pace_.change.reset();
    }
    if (now_ > begin && now_ - begin >= pace_.long_wait) last_wait_ = line;
    stalls_ += now_ - begin;
    line_ = line;
    return now_;
  }

  // Ends the run. Returns the cycle after the last line.
  double finish() {
    const double end = now_ + static_cast<double>(schedule_.mapping.lines() - line_) * line_cycles_;
    outputs_.finish(channel_, end);
    return end;
  }

  double stalls() const { return stalls_; }
  std::int64_t last_wait() const { return last_wait_; }
  const Channel& channel() const { return channel_; }
  const ReadHalves& ifmap() const { return ifmap_; }
  const ReadHalves& filter() const { return filter_; }
  const WriteHalves& outputs() const { return outputs_; }

 private:
  const MissSchedule& schedule_;
  Channel channel_;
  ReadHalves ifmap_, filter_;
  WriteHalves outputs_;
  Pace pace_;
  double line_cycles_;
  double now_, stalls_;
  std::int64_t line_ = 0, last_wait_ = -1;
};

}  // namespace

LayerTiming share_channel(const MissSchedule& schedule, double words_per_cycle) {
  LayerTiming timing;
  SharedRun run(schedule, words_per_cycle, {});
  auto named = named_lines(schedule, timing);
  std::stable_sort(named.begin(), named.end(),
                   [](const NamedLine& a, const NamedLine& b) { return a.line < b.line; });
  auto next = named.begin();
  for (;;) {
    const std::int64_t line = std::min(run.next_event(), next == named.end() ? kNever : next->line);
    if (line == kNever) break;
    const double now = run.reach(line);
    for (; next != named.end() && next->line == line; ++next) *next->cycle = whole(now);
  }
  timing.total_cycles = whole(run.finish());
  timing.stall_cycles = whole(run.stalls());

  // Before the first line, the serving halves are filled in sequence.
  const double ifmap_fill = run.channel().cycles(run.ifmap().filled_words());
  const double filter_fill = run.channel().cycles(run.filter().filled_words());
  timing.dram_ifmap = run.ifmap().dram(-ifmap_fill - filter_fill, -filter_fill);
  timing.dram_filter = run.filter().dram(-filter_fill, 0);
  timing.dram_ofmap = run.outputs().dram();
  timing.cycles_with_prefetch =
      std::max(timing.total_cycles, timing.dram_ofmap.stop + 1) - timing.dram_ifmap.start;
  count_scratchpads(schedule.traffic, timing);
  return timing;
}

PacedTiming share_channel(const MissSchedule& schedule, double words_per_cycle, const Pace& pace) {
  SharedRun run(schedule, words_per_cycle, pace);
  for (std::int64_t line = run.next_event(); line != kNever; line = run.next_event()) run.reach(line);
  const double end = run.finish();
  return {end, run.stalls(), run.last_wait()};
}

namespace {

// Words fetched before the first line, at ten per cycle. Data beyond half a scratchpad is fetched later, the
// last of it when the last epoch is full.
Accesses fetches(const EpochReads& reads) {
  const std::int64_t ahead = std::min(reads.epochs.fetched, reads.plan.epoch_words);
  const std::int64_t start = reads.epochs.last_full ? reads.first_request : 0;
  return {start - (ahead + kAssumedWords - 1) / kAssumedWords, reads.epochs.last_full.value_or(-1),
          reads.epochs.fetched};
}

}  // namespace

LayerTiming share_channel(const EpochSchedule& schedule) {
  LayerTiming timing;
  for (const NamedLine& named : named_lines(schedule, timing)) *named.cycle = named.line;
  timing.total_cycles = schedule.mapping.lines();
  // Outputs leave as fast as the array produces them.
  Channel channel(static_cast<double>(schedule.machine.array.columns));
  WriteHalves outputs(schedule.machine.scratchpads.ofmap, schedule.outputs);
  while (outputs.next_full() != kNever) {
    outputs.serve(channel, outputs.next_full(), static_cast<double>(outputs.next_full()));
  }
  outputs.finish(channel, static_cast<double>(timing.total_cycles));
  timing.dram_ifmap = fetches(schedule.ifmap);
  timing.dram_filter = fetches(schedule.filter);
  timing.dram_ofmap = outputs.dram();
  timing.cycles_with_prefetch = std::max(timing.total_cycles, timing.dram_ofmap.stop + 1) -
                                std::min(timing.dram_ifmap.start, timing.dram_filter.start);
  count_scratchpads(schedule.traffic, timing);
  return timing;
}

}  // namespace ergon::systolic
