#pragma once

#include <ostream>

#include "base/random.h"
#include "systolic/simulate.h"

namespace ergon::systolic {

// A layer, a machine and a memory, small enough to be followed word by word and awkward in every way: filters
// that hang over the edge, arrays larger and smaller than the layer, scratchpads that hold all or next to
// nothing.
struct RandomCase {
  graph::TopologyConv row;
  Machine machine;
  MemoryPort port;
};

inline RandomCase random_case(Random& random) {
  const auto from = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  // Small numbers more often than large ones.
  const auto skewed = [&](std::int64_t least, std::int64_t most) { return from(least, from(least, most)); };
  RandomCase c;
  c.row.name = "layer";
  c.row.filter_height = from(1, 4);
  c.row.filter_width = from(1, 4);
  c.row.input_height = c.row.filter_height + from(0, 12);
  c.row.input_width = c.row.filter_width + from(0, 12);
  c.row.channels = skewed(1, 40);
  c.row.filters = skewed(1, 60);
  c.row.stride_height = from(1, 3);
  c.row.stride_width = from(1, 3);
  c.machine.array = {skewed(1, 24), skewed(1, 24)};
  c.machine.dataflow = static_cast<Dataflow>(from(0, 2));
  const std::int64_t largest = from(0, 3) == 0 ? 4000 : 600;
  c.machine.scratchpads = {skewed(100, largest), skewed(100, largest), skewed(100, largest)};
  c.port.calculated = from(0, 2) == 0;
  c.port.ports = {from(1, 40), from(1, 40), from(1, 40)};
  c.port.channel_words = static_cast<double>(from(5, 800)) / 10;
  return c;
}

inline std::ostream& operator<<(std::ostream& out, const RandomCase& c) {
  const auto& r = c.row;
  out << "input " << r.input_height << "x" << r.input_width << "x" << r.channels << ", filter "
      << r.filter_height << "x" << r.filter_width << "x" << r.filters << ", stride " << r.stride_height << ","
      << r.stride_width << ", array " << c.machine.array.rows << "x" << c.machine.array.columns << " "
      << name_of(c.machine.dataflow) << ", scratchpads " << c.machine.scratchpads.ifmap << "/"
      << c.machine.scratchpads.filter << "/" << c.machine.scratchpads.ofmap;
  if (c.port.calculated) return out << ", calculated";
  return out << ", ports " << c.port.ports.ifmap << "/" << c.port.ports.filter << "/" << c.port.ports.ofmap
             << ", channel " << c.port.channel_words;
}

}  // namespace ergon::systolic
