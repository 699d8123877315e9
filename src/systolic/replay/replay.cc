// The array runs line by line. A line is late when data it wants are not there or the output scratchpad is
// full; then everything behind it is late too. Lines at which nothing happens are jumped over: only misses,
// drains and the lines that a report names are looked at.

#include "systolic/replay/replay.h"

#include <algorithm>
#include <array>
#include <span>

#include "systolic/replay/layer_timing.h"
#include "systolic/replay/line_clock.h"
#include "systolic/replay/read_port.h"
#include "systolic/trace/epoch_walk.h"
#include "systolic/trace/write_buffer.h"

namespace ergon::systolic {
namespace {

// Cycles of the lines that a report names.
struct Named {
  std::int64_t line;
  std::int64_t* ifmap = nullptr;
  std::int64_t* filter = nullptr;
  std::int64_t* ofmap = nullptr;
  std::int64_t* begin = nullptr;
};

struct Latencies {
  double ifmap = 1, filter = 1;
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
    const double now = clock.now();
    const Latencies latencies = serve(line, now);
    const double wait = clock.run_line(latencies.ifmap, latencies.filter);
    for (; next != named.end() && next->line == line; ++next) {
      if (next->ifmap != nullptr) *next->ifmap = whole(now + latencies.ifmap);
      if (next->filter != nullptr) *next->filter = whole(now + latencies.filter);
      if (next->ofmap != nullptr) *next->ofmap = whole(now + wait);
      if (next->begin != nullptr) *next->begin = whole(now);
    }
  }
}

// SCALE-Sim counts the outputs of an output stationary fold with its edges.
std::int64_t reported_writes(const ScratchpadTraffic& traffic, const Mapping& m) {
  if (m.dataflow != Dataflow::output_stationary) return traffic.ofmap_writes;
  return traffic.ofmap_writes + m.folds() * (m.array.rows + m.array.columns);
}

void finish(LayerTiming& timing, const ScratchpadTraffic& traffic, const Mapping& mapping,
            WriteBuffer& buffer, const LineClock& clock, Semantics semantics) {
  timing.stall_cycles = whole(clock.stalls());
  timing.sram_ifmap.words = traffic.ifmap_reads;
  timing.sram_filter.words = traffic.filter_reads;
  timing.sram_ofmap.words = reported_writes(traffic, mapping);
  buffer.finish(static_cast<double>(timing.total_cycles));
  timing.dram_ofmap.words = buffer.drained_words();
  timing.dram_ofmap.start = whole(buffer.first_start());
  timing.dram_ofmap.stop = whole(semantics == Semantics::v3 ? buffer.latest_stop() : buffer.last_stop());
  timing.cycles_with_prefetch =
      timing.dram_ofmap.stop - std::min(timing.dram_ifmap.start, timing.dram_filter.start);
}

}  // namespace

LayerTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics) {
  LayerTiming timing;
  ReadPort ifmap(schedule.ifmap, ports.ifmap, semantics);
  ReadPort filter(schedule.filter, ports.filter, semantics);
  WriteBuffer buffer(schedule.machine.scratchpads.ofmap, ports.ofmap);
  LineClock clock(schedule.outputs, buffer, semantics, {});
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
      [&](std::int64_t line, double now) {
        return Latencies{ifmap.serve(line, now, 1), filter.serve(line, now, 1)};
      });
  timing.dram_ifmap = ifmap.dram();
  timing.dram_filter = filter.dram();
  finish(timing, schedule.traffic, schedule.mapping, buffer, clock, semantics);
  return timing;
}

PacedTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics,
                   const Pace& pace) {
  ReadPort ifmap(schedule.ifmap, ports.ifmap, semantics);
  ReadPort filter(schedule.filter, ports.filter, semantics);
  WriteBuffer buffer(schedule.machine.scratchpads.ofmap, ports.ofmap);
  LineClock clock(schedule.outputs, buffer, semantics, pace);
  const std::int64_t last_line = schedule.mapping.lines() - 1;
  std::optional<Pace::Change> change = pace.change;
  for (;;) {
    const std::int64_t line =
        std::min({ifmap.next_miss(), filter.next_miss(), change ? change->after : last_line, last_line});
    clock.run_until(line);
    const double begin = clock.now();
    double ifmap_cycles = ifmap.serve(line, begin, clock.pace());
    const double filter_cycles = filter.serve(line, begin, clock.pace());
    const bool changes = change && line == change->after;
    if (changes) ifmap_cycles = std::max(ifmap_cycles, clock.pace() + change->pause);
    const double wait = clock.run_line(ifmap_cycles, filter_cycles);
    if (changes) {
      clock.change_pace(change->line);
      change.reset();
    }
    // As in Total Cycles, the last line counts until its outputs have been taken.
    if (line == last_line) return {begin + wait, pace.start + clock.stalls(), clock.last_wait()};
  }
}

namespace {

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
  LineClock clock(schedule.outputs, buffer, semantics, {});
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
      clock, lines, named, [&] { return lines; }, [](std::int64_t, double) { return Latencies{}; });
  timing.dram_ifmap = fetches(schedule.ifmap, ifmap_first, ifmap_last);
  timing.dram_filter = fetches(schedule.filter, filter_first, filter_last);
  finish(timing, schedule.traffic, schedule.mapping, buffer, clock, semantics);
  return timing;
}

}  // namespace ergon::systolic
