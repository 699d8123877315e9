#include "systolic/shared_channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace ergon::systolic {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// One memory channel, first come, first served.
class Channel {
 public:
  explicit Channel(double words_per_cycle) : words_per_cycle_(words_per_cycle) {}

  std::int64_t cycles(std::int64_t words) const {
    const double exact = std::ceil(static_cast<double>(words) / words_per_cycle_);
    return exact < 4e18 ? static_cast<std::int64_t>(exact) : std::int64_t{4'000'000'000'000'000'000};
  }

  struct Transfer {
    std::int64_t start, end;  // [start, end)
  };
  Transfer transfer(std::int64_t words, std::int64_t asked_at) { return transfer_pieces(1, words, asked_at); }

  // Equal pieces, one behind the other.
  Transfer transfer_pieces(std::int64_t pieces, std::int64_t words, std::int64_t asked_at) {
    const std::int64_t start = std::max(asked_at, free_at_);
    free_at_ = start + pieces * cycles(words);
    return {start, free_at_};
  }

 private:
  double words_per_cycle_;
  std::int64_t free_at_ = 0;
};

// A read scratchpad: one half serves, the other waits for the next piece.
class ReadHalves {
 public:
  explicit ReadHalves(const ReadSchedule& schedule)
      : schedule_(schedule), next_(schedule.misses), pieces_left_(schedule.misses.moves()) {
    filled_words_ = schedule.plan.words_of(0, schedule.plan.active);
    next_set_ = schedule.plan.active % schedule.plan.sets;
  }

  std::int64_t filled_words() const { return filled_words_; }
  std::int64_t next_miss() const { return next_.done() ? kNever : next_->line; }

  // Asks for the next piece, if one will still be needed.
  void ask(Channel& channel, std::int64_t now) { ask(channel, now, 1); }

  // Moves on as often as the line wants; the cycle at which its data are there.
  std::int64_t serve(Channel& channel, std::int64_t line, std::int64_t now) {
    if (next_miss() != line) return now;
    const std::int64_t moves = next_->moves;
    next_.advance();
    // The piece that is on its way, then all but one of those asked for in this line, one behind the other.
    now = std::max(now, ready_);
    ask(channel, now, moves - 1);
    if (moves > 1) now = ready_;
    ask(channel, now);
    return now;
  }

  Accesses dram(std::int64_t fill_start, std::int64_t fill_end) const {
    const std::int64_t end = fetched_words_ > 0 ? last_end_ : fill_end;
    return {fill_start, end - 1, filled_words_ + fetched_words_};
  }

 private:
  void ask(Channel& channel, std::int64_t now, std::int64_t pieces) {
    pieces = std::min(pieces, pieces_left_);
    if (pieces == 0) return;
    pieces_left_ -= pieces;
    // Each time round the stream one piece holds its last set, which is not full.
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
  std::int64_t ready_ = 0, last_end_ = 0;
  std::int64_t filled_words_ = 0, fetched_words_ = 0;
};

// The output scratchpad: one half gathers, the other leaves.
class WriteHalves {
 public:
  WriteHalves(std::int64_t scratchpad_words, const OutputPattern& outputs)
      : outputs_(outputs), half_(scratchpad_words / 2) {
    locate();
  }

  std::int64_t next_full() const { return next_line_; }

  // The halves that become full in this line; the cycle at which it can go on.
  std::int64_t serve(Channel& channel, std::int64_t line, std::int64_t now) {
    while (next_line_ == line) {
      now = std::max(now, out_);
      hand_over(channel, half_, now);
      handed_over_ += half_;
      locate();
    }
    return now;
  }

  void finish(Channel& channel, std::int64_t now) {
    const std::int64_t rest = outputs_.total() - handed_over_;
    if (rest > 0) hand_over(channel, rest, std::max(now, out_));
  }

  Accesses dram() const { return {start_, out_ - 1, outputs_.total()}; }

 private:
  void hand_over(Channel& channel, std::int64_t words, std::int64_t now) {
    const Channel::Transfer transfer = channel.transfer(words, now);
    if (!started_) start_ = transfer.start;
    started_ = true;
    out_ = transfer.end;
  }

  void locate() {
    const std::int64_t word = handed_over_ + half_ - 1;  // the one that makes the half full
    next_line_ = word < outputs_.total() ? outputs_.line_of(word) : kNever;
  }

  const OutputPattern& outputs_;
  std::int64_t half_;
  std::int64_t handed_over_ = 0, next_line_ = 0;
  std::int64_t out_ = 0, start_ = 0;
  bool started_ = false;
};

// A line that a report names, and where its cycle goes.
struct Named {
  std::int64_t line;
  std::int64_t* cycle;
};

template <typename Schedule>
std::array<Named, 6> named_lines(const Schedule& schedule, LayerTiming& timing) {
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

LayerTiming share_channel(const MissSchedule& schedule, double words_per_cycle) {
  LayerTiming timing;
  Channel channel(words_per_cycle);
  ReadHalves ifmap(schedule.ifmap), filter(schedule.filter);
  WriteHalves outputs(schedule.machine.scratchpads.ofmap, schedule.outputs);
  ifmap.ask(channel, 0);
  filter.ask(channel, 0);

  auto named = named_lines(schedule, timing);
  std::stable_sort(named.begin(), named.end(),
                   [](const Named& a, const Named& b) { return a.line < b.line; });
  auto next = named.begin();
  std::int64_t stalls = 0;
  const std::int64_t lines = schedule.mapping.lines();
  for (;;) {
    const std::int64_t line = std::min({ifmap.next_miss(), filter.next_miss(), outputs.next_full(),
                                        next == named.end() ? kNever : next->line});
    if (line == kNever) break;
    std::int64_t now = line + stalls;
    now = ifmap.serve(channel, line, now);
    now = filter.serve(channel, line, now);
    now = outputs.serve(channel, line, now);
    stalls = now - line;
    for (; next != named.end() && next->line == line; ++next) *next->cycle = now;
  }
  timing.stall_cycles = stalls;
  timing.total_cycles = lines + stalls;
  outputs.finish(channel, timing.total_cycles);

  // Before the first line, the serving halves are filled one after the other.
  const std::int64_t ifmap_fill = channel.cycles(ifmap.filled_words());
  const std::int64_t filter_fill = channel.cycles(filter.filled_words());
  timing.dram_ifmap = ifmap.dram(-ifmap_fill - filter_fill, -filter_fill);
  timing.dram_filter = filter.dram(-filter_fill, 0);
  timing.dram_ofmap = outputs.dram();
  timing.cycles_with_prefetch =
      std::max(timing.total_cycles, timing.dram_ofmap.stop + 1) - timing.dram_ifmap.start;
  count_scratchpads(schedule.traffic, timing);
  return timing;
}

namespace {

// Words before the first line at ten a cycle; what does not fit in half a scratchpad comes later, the last
// of it by the time the last epoch is full.
Accesses fetches(const EpochReads& reads) {
  constexpr std::int64_t kAssumedWords = 10;
  const std::int64_t ahead = std::min(reads.epochs.fetched, reads.plan.epoch_words);
  const std::int64_t start = reads.epochs.last_full ? reads.first_request : 0;
  return {start - (ahead + kAssumedWords - 1) / kAssumedWords, reads.epochs.last_full.value_or(-1),
          reads.epochs.fetched};
}

}  // namespace

LayerTiming share_channel(const EpochSchedule& schedule) {
  LayerTiming timing;
  for (const Named& named : named_lines(schedule, timing)) *named.cycle = named.line;
  timing.total_cycles = schedule.mapping.lines();
  // Outputs leave as fast as the array can make them.
  Channel channel(static_cast<double>(schedule.machine.array.columns));
  WriteHalves outputs(schedule.machine.scratchpads.ofmap, schedule.outputs);
  while (outputs.next_full() != kNever) outputs.serve(channel, outputs.next_full(), outputs.next_full());
  outputs.finish(channel, timing.total_cycles);
  timing.dram_ifmap = fetches(schedule.ifmap);
  timing.dram_filter = fetches(schedule.filter);
  timing.dram_ofmap = outputs.dram();
  timing.cycles_with_prefetch = std::max(timing.total_cycles, timing.dram_ofmap.stop + 1) -
                                std::min(timing.dram_ifmap.start, timing.dram_filter.start);
  count_scratchpads(schedule.traffic, timing);
  return timing;
}

}  // namespace ergon::systolic
