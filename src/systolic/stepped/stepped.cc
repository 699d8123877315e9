#include "systolic/stepped/stepped.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "systolic/array/mapping.h"
#include "systolic/stepped/buffers.h"
#include "systolic/stepped/trace.h"

namespace ergon::systolic::stepped {
namespace {

std::int64_t words_in(const std::vector<std::int64_t>& line) {
  return std::count_if(line.begin(), line.end(), asks);
}

std::int64_t slots_in(const std::vector<std::int64_t>& line) {
  return std::count_if(line.begin(), line.end(), [](std::int64_t address) { return address != kNothing; });
}

// One side of the array: the cycles of the first and the last line that ask for something, and all accesses.
class Side {
 public:
  void note(const std::vector<std::int64_t>& line, std::int64_t cycle) {
    accesses_.words += slots_in(line);
    if (words_in(line) == 0) return;
    if (!started_) accesses_.start = cycle;
    started_ = true;
    accesses_.stop = cycle;
  }
  const Accesses& accesses() const { return accesses_; }

 private:
  Accesses accesses_;
  bool started_ = false;
};

struct Sides {
  Side ifmap, filter, ofmap;

  void put(LayerTiming& timing) const {
    timing.sram_ifmap = ifmap.accesses();
    timing.sram_filter = filter.accesses();
    timing.sram_ofmap = ofmap.accesses();
  }
};

template <typename Visit>
void visit_lines(const Trace& trace, const Mapping& mapping, const std::stop_token& stop,
                 const Visit& visit) {
  for (std::int64_t fold = 0; fold < mapping.folds(); ++fold) {
    for (std::int64_t line = 0; line < mapping.lines_per_fold && !stop.stop_requested(); ++line) {
      visit(trace.line(fold, line));
    }
  }
}

class Compatible {
 public:
  Compatible(const Geometry& geometry, const Machine& machine, const Mapping& mapping, const MemoryPort& port,
             Semantics semantics, std::stop_token stop)
      : stop_(std::move(stop)),
        trace_(geometry, mapping),
        mapping_(mapping),
        semantics_(semantics),
        outputs_(machine.scratchpads.ofmap, port.calculated ? machine.array.columns : port.ports.ofmap) {
    if (port.calculated) {
      ifmap_estimate_ = std::make_unique<EstimatingBuffer>(machine.scratchpads.ifmap);
      filter_estimate_ = std::make_unique<EstimatingBuffer>(machine.scratchpads.filter);
    } else {
      ifmap_ = std::make_unique<ReadBuffer>(machine.scratchpads.ifmap, trace_.ifmap_stream(),
                                            port.ports.ifmap, semantics);
      filter_ = std::make_unique<ReadBuffer>(machine.scratchpads.filter, trace_.filter_stream(),
                                             port.ports.filter, semantics);
    }
  }

  Result<LayerTiming> run() {
    std::int64_t index = 0, stalls = 0;
    LayerTiming timing;
    Sides sides;
    visit_lines(trace_, mapping_, stop_, [&](const Trace::Line& line) {
      const std::int64_t now = index++ + stalls;
      std::int64_t ifmap = 1, filter = 1;
      if (ifmap_) {
        ifmap = ifmap_->serve(line.ifmap, now);
        filter = filter_->serve(line.filter, now);
      } else {
        ifmap_estimate_->serve(line.ifmap, now);
        filter_estimate_->serve(line.filter, now);
      }
      const std::int64_t done = outputs_.serve(line.ofmap, now);
      sides.ifmap.note(line.ifmap, now + ifmap);
      sides.filter.note(line.filter, now + filter);
      sides.ofmap.note(line.ofmap, done);
      const std::int64_t write_stall = done - now - (semantics_ == Semantics::v2_2021 ? 1 : 0);
      stalls += std::max({ifmap - 1, filter - 1, write_stall});
      timing.total_cycles = done;
    });
    timing.stall_cycles = stalls;
    outputs_.finish(timing.total_cycles);
    if (ifmap_estimate_ && !(ifmap_estimate_->sound() && filter_estimate_->sound())) {
      return fail(Errc::unsupported, "SCALE-Sim divides by zero here");
    }
    timing.dram_ifmap = ifmap_ ? ifmap_->dram() : ifmap_estimate_->dram();
    timing.dram_filter = filter_ ? filter_->dram() : filter_estimate_->dram();
    timing.dram_ofmap = outputs_.dram(semantics_);
    timing.cycles_with_prefetch =
        timing.dram_ofmap.stop - std::min(timing.dram_ifmap.start, timing.dram_filter.start);
    sides.put(timing);
    if (mapping_.dataflow == Dataflow::output_stationary) {
      timing.sram_ofmap.words += mapping_.folds() * (mapping_.array.rows + mapping_.array.columns);
    }
    return timing;
  }

 private:
  std::stop_token stop_;
  Trace trace_;
  Mapping mapping_;
  Semantics semantics_;
  std::unique_ptr<ReadBuffer> ifmap_, filter_;
  std::unique_ptr<EstimatingBuffer> ifmap_estimate_, filter_estimate_;
  WriteBuffer outputs_;
};

// One channel for all; see shared_channel.h for the rules.
class Shared {
 public:
  Shared(const Geometry& geometry, const Machine& machine, const Mapping& mapping, const MemoryPort& port,
         std::stop_token stop)
      : stop_(std::move(stop)),
        trace_(geometry, mapping),
        mapping_(mapping),
        machine_(machine),
        port_(port) {}

  LayerTiming run() { return port_.calculated ? run_without_limit() : run_with_limit(); }

 private:
  struct Operand {
    SetWindow window;
    std::int64_t pieces = 0;  // still to be asked for
    std::int64_t ready = 0;
    Accesses dram;
  };

  std::int64_t cycles(std::int64_t words) const {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(words) / rate_));
  }

  std::int64_t transfer(std::int64_t words, std::int64_t asked_at) {
    const std::int64_t start = std::max(asked_at, channel_free_);
    channel_free_ = start + cycles(words);
    return start;
  }

  void ask(Operand& operand, std::int64_t now) {
    if (operand.pieces == 0) return;
    --operand.pieces;
    const std::int64_t words = operand.window.words_next();
    transfer(words, now);
    operand.ready = channel_free_;
    operand.dram.stop = channel_free_ - 1;
    operand.dram.words += words;
  }

  std::int64_t serve(Operand& operand, const std::vector<std::int64_t>& line, std::int64_t now) {
    for (const std::int64_t address : line) {
      if (!asks(address)) continue;
      while (!operand.window.holds(address)) {
        now = std::max(now, operand.ready);
        operand.window.move();
        ask(operand, now);
      }
    }
    return now;
  }

  std::int64_t write(std::int64_t words, std::int64_t now) {
    for (; words > 0; --words) {
      if (++gathered_ < machine_.scratchpads.ofmap / 2) continue;
      now = std::max(now, outputs_out_);
      hand_over(now);
    }
    return now;
  }

  void hand_over(std::int64_t now) {
    const std::int64_t start = transfer(gathered_, now);
    if (outputs_.words == 0) outputs_.start = start;
    outputs_.words += gathered_;
    outputs_out_ = channel_free_;
    outputs_.stop = channel_free_ - 1;
    gathered_ = 0;
  }

  // How often a window will move, which does not depend on time.
  template <typename Side>
  std::int64_t moves(SetWindow window, const Side& side) const {
    std::int64_t moves = 0;
    visit_lines(trace_, mapping_, stop_, [&](const Trace::Line& line) {
      for (const std::int64_t address : side(line)) {
        for (; asks(address) && !window.holds(address); ++moves) window.move();
      }
    });
    return moves;
  }

  LayerTiming run_with_limit() {
    rate_ = port_.channel_words;
    Operand ifmap{SetWindow(machine_.scratchpads.ifmap, trace_.ifmap_stream()), 0, 0, {}};
    Operand filter{SetWindow(machine_.scratchpads.filter, trace_.filter_stream()), 0, 0, {}};
    ifmap.pieces = moves(ifmap.window, [](const Trace::Line& line) { return line.ifmap; });
    filter.pieces = moves(filter.window, [](const Trace::Line& line) { return line.filter; });
    filter.dram = {-cycles(filter.window.words_held()), -1, filter.window.words_held()};
    ifmap.dram = {filter.dram.start - cycles(ifmap.window.words_held()), filter.dram.start - 1,
                  ifmap.window.words_held()};
    ask(ifmap, 0);
    ask(filter, 0);
    LayerTiming timing;
    Sides sides;
    std::int64_t index = 0, stalls = 0;
    visit_lines(trace_, mapping_, stop_, [&](const Trace::Line& line) {
      std::int64_t now = index + stalls;
      now = serve(ifmap, line.ifmap, now);
      now = serve(filter, line.filter, now);
      now = write(words_in(line.ofmap), now);
      sides.ifmap.note(line.ifmap, now);
      sides.filter.note(line.filter, now);
      sides.ofmap.note(line.ofmap, now);
      stalls = now - index++;
    });
    timing.stall_cycles = stalls;
    timing.total_cycles = index + stalls;
    if (gathered_ > 0) hand_over(std::max(timing.total_cycles, outputs_out_));
    timing.dram_ifmap = ifmap.dram;
    timing.dram_filter = filter.dram;
    return finish(timing, sides);
  }

  LayerTiming run_without_limit() {
    rate_ = static_cast<double>(machine_.array.columns);
    EstimatingBuffer ifmap(machine_.scratchpads.ifmap), filter(machine_.scratchpads.filter);
    LayerTiming timing;
    Sides sides;
    std::int64_t index = 0;
    visit_lines(trace_, mapping_, stop_, [&](const Trace::Line& line) {
      ifmap.serve(line.ifmap, index);
      filter.serve(line.filter, index);
      write(words_in(line.ofmap), index);
      sides.ifmap.note(line.ifmap, index);
      sides.filter.note(line.filter, index);
      sides.ofmap.note(line.ofmap, index);
      ++index;
    });
    timing.total_cycles = index;
    if (gathered_ > 0) hand_over(std::max(timing.total_cycles, outputs_out_));
    timing.dram_ifmap = ifmap.plain_dram();
    timing.dram_filter = filter.plain_dram();
    return finish(timing, sides);
  }

  LayerTiming finish(LayerTiming timing, const Sides& sides) const {
    timing.dram_ofmap = outputs_;
    timing.cycles_with_prefetch = std::max(timing.total_cycles, timing.dram_ofmap.stop + 1) -
                                  std::min(timing.dram_ifmap.start, timing.dram_filter.start);
    sides.put(timing);
    return timing;
  }

  std::stop_token stop_;
  Trace trace_;
  Mapping mapping_;
  Machine machine_;
  MemoryPort port_;
  double rate_ = 1;
  std::int64_t channel_free_ = 0, outputs_out_ = 0, gathered_ = 0;
  Accesses outputs_;
};

// Fold after fold, as SCALE-Sim sums them.
void count_efficiency(const Mapping& m, Semantics semantics, LayerRun& run) {
  const bool surplus = semantics != Semantics::ergon && m.dataflow != Dataflow::output_stationary;
  const std::int64_t lines = m.lines_per_fold + (surplus ? m.array.columns - 1 : 0);
  double mapped = 0, busy = 0;
  for (std::int64_t column = 0; column < m.columns; column += m.array.columns) {
    for (std::int64_t row = 0; row < m.rows; row += m.array.rows) {
      const std::int64_t used =
          std::min(m.array.rows, m.rows - row) * std::min(m.array.columns, m.columns - column);
      mapped += static_cast<double>(used) / static_cast<double>(run.units);
      busy += static_cast<double>(used * m.steps) / static_cast<double>(run.units * lines);
    }
  }
  run.mapping_efficiency = mapped / static_cast<double>(m.folds()) * 100;
  run.compute_utilization = busy / static_cast<double>(m.folds()) * 100;
}

}  // namespace

Result<LayerRun> step(const Layer& layer, const Machine& machine, const MemoryPort& port, Semantics semantics,
                      const std::stop_token& stop) {
  const Geometry& geometry = layer.geometry;
  const auto mapping = map_layer(geometry, machine.array, machine.dataflow);
  if (!mapping) return mapping.error();
  constexpr std::int64_t kMaxWords = 200'000'000;
  if (std::max(geometry.positions, geometry.filters) * geometry.taps > kMaxWords) {
    return fail(Errc::unsupported, "too large to be followed word by word: an operand of more than {} words",
                kMaxWords);
  }
  const auto timing = semantics == Semantics::ergon
                          ? Result<LayerTiming>(Shared(geometry, machine, *mapping, port, stop).run())
                          : Compatible(geometry, machine, *mapping, port, semantics, stop).run();
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  if (!timing) return timing.error();
  if (timing->total_cycles == 0) return fail(Errc::unsupported, "SCALE-Sim divides by zero here");
  LayerRun run{.name = layer.name, .macs = geometry.macs(), .units = machine.array.units()};
  run.timing = *timing;
  count_efficiency(*mapping, semantics, run);
  return run;
}

}  // namespace ergon::systolic::stepped
