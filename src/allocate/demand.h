#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/hardware.h"
#include "base/result.h"
#include "systolic/layer.h"
#include "systolic/schedule_cache.h"

namespace ergon::allocate {

// What holds a layer up at full clock and bandwidth.
enum class Bound : std::uint8_t {
  memory,    // the array waits: its clock can fall
  compute,   // the memory waits: its bandwidth can fall
  balanced,  // neither
};
std::string_view name_of(Bound bound);

// A layer at full clock and bandwidth: what Algorithm 1 of ARADA starts from.
struct Demand {
  std::string name;
  std::int64_t total_cycles = 0;
  std::int64_t stall_cycles = 0;  // never below 0: early data that v2-2021 gives back count as none
  std::int64_t memory_words = 0;  // moved
  double required_words = 0;      // a cycle: every input, weight and output once, over the layer's time
  Bound bound = Bound::balanced;
  std::shared_ptr<const systolic::MissSchedule> schedule;

  std::int64_t work_cycles() const { return total_cycles - stall_cycles; }
  // Of its work, in the lines behind this one.
  double share_after(std::int64_t line) const {
    return 1 - static_cast<double>(line + 1) / static_cast<double>(schedule->mapping.lines());
  }
};

// Fails as simulate() does, and when there is no layer at all.
Result<std::vector<Demand>> demands_of(std::span<const systolic::Layer> layers, const Hardware& hardware,
                                       systolic::ScheduleCache& cache, const std::stop_token& stop = {});

// Layers one after the other at full speed.
Seconds race_to_idle_time(std::span<const Demand> demands, Hertz clock);

}  // namespace ergon::allocate
