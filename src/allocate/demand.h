#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/hardware.h"
#include "base/result.h"
#include "systolic/array/layer.h"
#include "systolic/trace/schedule_cache.h"

namespace ergon::allocate {

// What limits a layer at full clock and bandwidth.
enum class LayerBound : std::uint8_t {
  memory,    // the array stalls: its clock can be lowered
  compute,   // the memory is underused: its bandwidth can be lowered
  balanced,  // neither can be lowered
};
std::string_view name_of(LayerBound bound);

// A layer at full clock and bandwidth: the input of Algorithm 1 of ARADA.
struct LayerDemand {
  std::string name;
  std::int64_t total_cycles = 0;
  std::int64_t stall_cycles = 0;  // at least 0: v2-2021 can report negative stalls for early data
  std::int64_t memory_words = 0;  // traffic
  double required_words = 0;      // per cycle: every input, weight and output once, over the layer's duration
  LayerBound bound = LayerBound::balanced;
  std::shared_ptr<const systolic::MissSchedule> schedule;

  std::int64_t work_cycles() const { return total_cycles - stall_cycles; }
  // Share of the work in the lines after this one.
  double share_after(std::int64_t line) const {
    return 1 - static_cast<double>(line + 1) / static_cast<double>(schedule->mapping.lines());
  }
};

// Errors: those of simulate(); no layers.
Result<std::vector<LayerDemand>> demands_of(std::span<const systolic::Layer> layers, const Hardware& hardware,
                                            systolic::ScheduleCache& cache, const std::stop_token& stop = {});

// Duration of all layers at this clock and full bandwidth.
Seconds race_to_idle_time(std::span<const LayerDemand> demands, Hertz clock);

}  // namespace ergon::allocate
