// The array runs line by line. A line is late when data it wants are not there or the output scratchpad is
// full; then everything behind it is late too. Lines at which nothing happens are jumped over: only misses,
// drains and the lines that a report names are looked at.

#include "systolic/replay.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "systolic/write_buffer.h"

namespace ergon::systolic {
namespace {

// Prefetching of one operand: pieces of the same size, one after the other, whether or not there is room.
class ReadPort {
 public:
  ReadPort(const ReadSchedule& schedule, std::int64_t words_per_cycle, Semantics semantics)
      : next_(schedule.misses), words_per_cycle_(words_per_cycle), semantics_(semantics) {
    const auto cycles = [&](std::int64_t words) { return (words + words_per_cycle - 1) / words_per_cycle; };
    const std::int64_t first = std::min(cycles(schedule.plan.active_words), cycles(schedule.plan.slots));
    dram_ = {-first, -1, first * words_per_cycle};
    piece_cycles_ = cycles(schedule.plan.prefetched_words);
  }

  std::int64_t next_miss() const {
    return next_.done() ? std::numeric_limits<std::int64_t>::max() : next_->line;
  }

  // The line begins at cycle `now`; how many cycles after that its data are there (1 when all were).
  std::int64_t serve(std::int64_t line, std::int64_t now) {
    if (next_miss() != line) return 1;
    const std::int64_t moves = next_->moves;
    next_.advance();
    const std::int64_t first = dram_.stop + piece_cycles_ + 1 - now;
    dram_.stop += moves * (piece_cycles_ + 1);
    dram_.words += moves * piece_cycles_ * words_per_cycle_;
    const std::int64_t last = dram_.stop - now;
    if (semantics_ == Semantics::v2_2021) return last;
    if (semantics_ == Semantics::v2) return std::max<std::int64_t>(1, last);
    return last + counted_twice(first, moves);
  }

  const Accesses& dram() const { return dram_; }

 private:
  // In v3 a line that waits for piece after piece adds each wait twice, but the surplus of one piece makes
  // the wait for the next one shorter by as much: it goes back and forth between two values. (No surplus
  // exceeds a piece: a line never begins before the pieces of earlier lines are there.)
  std::int64_t counted_twice(std::int64_t first, std::int64_t moves) const {
    const std::int64_t surplus = std::max<std::int64_t>(0, first - 1);
    return moves % 2 == 1 ? surplus : piece_cycles_ + 1 - surplus;
  }

  MissList::Cursor next_;
  std::int64_t words_per_cycle_;
  std::int64_t piece_cycles_ = 0;
  Semantics semantics_;
  Accesses dram_;  // `stop` is when the latest piece is there
};

// Lines, the cycles they begin at, and the output scratchpad.
class LineClock {
 public:
  LineClock(const OutputPattern& outputs, WriteBuffer& buffer, Semantics semantics)
      : outputs_(outputs), buffer_(buffer), idle_write_(semantics == Semantics::v2_2021 ? -1 : 0) {}

  std::int64_t stalls() const { return stalls_; }
  std::int64_t now() const { return line_ + stalls_; }

  // Runs all lines before this one; none of them waits for reads.
  void run_until(std::int64_t line) {
    while (line_ < line) {
      const WriteBuffer::Quiet quiet = buffer_.quiet(now());
      std::int64_t end = line;
      if (quiet.until != WriteBuffer::kForever) end = std::min(end, quiet.until - stalls_);
      const std::int64_t written = outputs_.before(line_);
      const std::int64_t words = outputs_.before(end) - written;
      if (words <= quiet.words) {
        buffer_.take(words);
        line_ = end;
        continue;
      }
      const std::int64_t eventful = outputs_.line_of(written + quiet.words);
      buffer_.take(outputs_.before(eventful) - written);
      line_ = eventful;
      run_line(1, 1);
    }
  }

  // Runs one line whose data take this long; how long its outputs take.
  std::int64_t run_line(std::int64_t ifmap_latency, std::int64_t filter_latency) {
    const std::int64_t wait = buffer_.write_line(outputs_.in_line(line_), now());
    stalls_ += std::max({ifmap_latency - 1, filter_latency - 1, wait + idle_write_});
    ++line_;
    return wait;
  }

 private:
  const OutputPattern& outputs_;
  WriteBuffer& buffer_;
  std::int64_t idle_write_;
  std::int64_t line_ = 0, stalls_ = 0;
};

// Cycles of the lines that a report names.
struct Named {
  std::int64_t line;
  std::int64_t* ifmap = nullptr;
  std::int64_t* filter = nullptr;
  std::int64_t* ofmap = nullptr;
  std::int64_t* begin = nullptr;
};

template <typename Serve, typename NextMiss>
void run_lines(LineClock& clock, std::int64_t lines, std::span<Named> named, const NextMiss& next_miss,
               const Serve& serve) {
  std::stable_sort(named.begin(), named.end(),
                   [](const Named& a, const Named& b) { return a.line < b.line; });
  auto next = named.begin();
  for (;;) {
    const std::int64_t line = std::min(next_miss(), next == named.end() ? lines : next->line);
    clock.run_until(line);
    if (line >= lines) return;
    const std::int64_t now = clock.now();
    const auto [ifmap, filter] = serve(line, now);
    const std::int64_t wait = clock.run_line(ifmap, filter);
    for (; next != named.end() && next->line == line; ++next) {
      if (next->ifmap != nullptr) *next->ifmap = now + ifmap;
      if (next->filter != nullptr) *next->filter = now + filter;
      if (next->ofmap != nullptr) *next->ofmap = now + wait;
      if (next->begin != nullptr) *next->begin = now;
    }
  }
}

struct Latencies {
  std::int64_t ifmap = 1, filter = 1;
};

// SCALE-Sim counts the outputs of an output stationary fold with its edges.
std::int64_t reported_writes(const ScratchpadTraffic& traffic, const Mapping& m) {
  if (m.dataflow != Dataflow::output_stationary) return traffic.ofmap_writes;
  return traffic.ofmap_writes + m.folds() * (m.array.rows + m.array.columns);
}

void finish(LayerTiming& timing, const ScratchpadTraffic& traffic, const Mapping& mapping,
            WriteBuffer& buffer, const LineClock& clock, Semantics semantics) {
  timing.stall_cycles = clock.stalls();
  timing.sram_ifmap.words = traffic.ifmap_reads;
  timing.sram_filter.words = traffic.filter_reads;
  timing.sram_ofmap.words = reported_writes(traffic, mapping);
  buffer.finish(timing.total_cycles);
  timing.dram_ofmap.words = buffer.drained_words();
  timing.dram_ofmap.start = buffer.first_start();
  timing.dram_ofmap.stop = semantics == Semantics::v3 ? buffer.latest_stop() : buffer.last_stop();
  timing.cycles_with_prefetch =
      timing.dram_ofmap.stop - std::min(timing.dram_ifmap.start, timing.dram_filter.start);
}

}  // namespace

LayerTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics) {
  LayerTiming timing;
  ReadPort ifmap(schedule.ifmap, ports.ifmap, semantics);
  ReadPort filter(schedule.filter, ports.filter, semantics);
  WriteBuffer buffer(schedule.machine.scratchpads.ofmap, ports.ofmap);
  LineClock clock(schedule.outputs, buffer, semantics);
  const std::int64_t lines = schedule.mapping.lines();
  std::array<Named, 7> named = {{
      {.line = schedule.ifmap.first_request, .ifmap = &timing.sram_ifmap.start},
      {.line = schedule.ifmap.last_request, .ifmap = &timing.sram_ifmap.stop},
      {.line = schedule.filter.first_request, .filter = &timing.sram_filter.start},
      {.line = schedule.filter.last_request, .filter = &timing.sram_filter.stop},
      {.line = schedule.outputs.first_line(), .ofmap = &timing.sram_ofmap.start},
      {.line = schedule.outputs.last_line(), .ofmap = &timing.sram_ofmap.stop},
      {.line = lines - 1, .ofmap = &timing.total_cycles},
  }};
  run_lines(
      clock, lines, named, [&] { return std::min(ifmap.next_miss(), filter.next_miss()); },
      [&](std::int64_t line, std::int64_t now) {
        return Latencies{ifmap.serve(line, now), filter.serve(line, now)};
      });
  timing.dram_ifmap = ifmap.dram();
  timing.dram_filter = filter.dram();
  finish(timing, schedule.traffic, schedule.mapping, buffer, clock, semantics);
  return timing;
}

namespace {

constexpr std::int64_t kAssumedWords = 10;  // a cycle, while the first data are fetched

// When the words of an operand are fetched: a first piece before it is needed, each later one while the one
// before fills up. `first` and `last` are the cycles of the first request and of the last epoch's end.
Accesses fetches(const EpochReads& reads, std::int64_t first, std::int64_t last) {
  const std::int64_t words = reads.epochs.fetched, set = reads.plan.set_words;
  const auto cycles = [](std::int64_t w) { return (w + kAssumedWords - 1) / kAssumedWords; };
  if (!reads.epochs.last_full) return {-cycles((words + set - 1) / set * set), -1, words};
  return {first - cycles(reads.plan.epoch_words), last + 1, words};
}

Error divides_by_zero(std::string_view operand, std::int64_t line) {
  return fail(
      Errc::unsupported,
      "SCALE-Sim divides by zero here: the {} scratchpad fills up twice in line {}; --semantics ergon "
      "has an answer",
      operand, line);
}

}  // namespace

Result<LayerTiming> replay(const EpochSchedule& schedule, Semantics semantics) {
  if (schedule.ifmap.epochs.first_double)
    return divides_by_zero("ifmap", *schedule.ifmap.epochs.first_double);
  if (schedule.filter.epochs.first_double) {
    return divides_by_zero("filter", *schedule.filter.epochs.first_double);
  }
  LayerTiming timing;
  WriteBuffer buffer(schedule.machine.scratchpads.ofmap, schedule.machine.array.columns);
  LineClock clock(schedule.outputs, buffer, semantics);
  const std::int64_t lines = schedule.mapping.lines();
  std::int64_t ifmap_first = 0, ifmap_last = 0, filter_first = 0, filter_last = 0;
  std::array<Named, 9> named = {{
      {.line = schedule.ifmap.first_request, .ifmap = &timing.sram_ifmap.start, .begin = &ifmap_first},
      {.line = schedule.ifmap.last_request, .ifmap = &timing.sram_ifmap.stop},
      {.line = schedule.filter.first_request, .filter = &timing.sram_filter.start, .begin = &filter_first},
      {.line = schedule.filter.last_request, .filter = &timing.sram_filter.stop},
      {.line = schedule.outputs.first_line(), .ofmap = &timing.sram_ofmap.start},
      {.line = schedule.outputs.last_line(), .ofmap = &timing.sram_ofmap.stop},
      {.line = lines - 1, .ofmap = &timing.total_cycles},
      {.line = schedule.ifmap.epochs.last_full.value_or(0), .begin = &ifmap_last},
      {.line = schedule.filter.epochs.last_full.value_or(0), .begin = &filter_last},
  }};
  run_lines(
      clock, lines, named, [&] { return lines; }, [](std::int64_t, std::int64_t) { return Latencies{}; });
  timing.dram_ifmap = fetches(schedule.ifmap, ifmap_first, ifmap_last);
  timing.dram_filter = fetches(schedule.filter, filter_first, filter_last);
  finish(timing, schedule.traffic, schedule.mapping, buffer, clock, semantics);
  return timing;
}

}  // namespace ergon::systolic
