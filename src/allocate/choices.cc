#include "allocate/choices.h"

#include <algorithm>
#include <map>

#include "allocate/layer_energy.h"

namespace ergon::allocate {
namespace {

struct LayerChoices {
  std::vector<LayerChoice> choices;
  std::vector<LayerSetting> settings;
};

bool is_dominated_by(const LayerChoice& a, const LayerChoice& b) {
  return a.enters == b.enters && a.leaves == b.leaves && a.time >= b.time && a.energy >= b.energy &&
         a.time_after_switch >= b.time_after_switch && a.energy_after_switch >= b.energy_after_switch;
}

// All non-dominated settings of one layer.
class LayerOptions {
 public:
  LayerOptions(const LayerDemand& demand, const Hardware& hardware, const LayerTimes& times,
               const SearchSpace& space)
      : demand_(demand), hardware_(hardware), times_(times), space_(space) {}

  LayerChoices all() {
    const auto top = static_cast<std::uint32_t>(space_.clocks.size() - 1);
    for (std::uint32_t level = 0; level <= top; ++level) {
      for (const double words : space_.words) {
        // Operands that fit a scratchpad are prefetched before the first cycle and cause no stall, but their
        // traffic still needs the bandwidth.
        if (words < demand_.required_words && words < hardware_.words_per_cycle) continue;
        LayerSetting setting{space_.clocks[level], words, {}};
        add(setting, {.enters = level, .leaves = level}, 0);
        if (level == top) continue;
        if (space_.early_switch) add(setting, {.enters = level, .leaves = LayerChoice::kAnywhere}, 1);
        if (!space_.tails) continue;
        for (const std::int64_t line : tail_lines(demand_, hardware_, setting)) {
          setting.tail = Tail{line, hardware_.clock};
          add(setting, {.enters = level, .leaves = top}, 0);
        }
      }
    }
    return std::move(found_);
  }

 private:
  // Clock levels at the start and at the end of the layer.
  struct Levels {
    std::uint32_t enters, leaves;
  };

  void add(const LayerSetting& setting, Levels levels, int switches) {
    const LayerTime time = times_.of(demand_, setting, switches);
    const LayerTime after = times_.of(demand_, setting, switches + 1);
    const int inside = switches + (setting.tail ? 1 : 0);
    const Joules extra = hardware_.switch_energy() * inside;
    const LayerChoice choice{
        .enters = levels.enters,
        .leaves = levels.leaves,
        .time = time.total,
        .time_after_switch = after.total,
        .energy = layer_energy(demand_, hardware_, setting, time).total() + extra,
        .energy_after_switch = layer_energy(demand_, hardware_, setting, after).total() + extra};
    const auto& known = found_.choices;
    if (std::any_of(known.begin(), known.end(),
                    [&](const LayerChoice& other) { return is_dominated_by(choice, other); })) {
      return;
    }
    found_.choices.push_back(choice);
    found_.settings.push_back(setting);
  }

  const LayerDemand& demand_;
  const Hardware& hardware_;
  const LayerTimes& times_;
  const SearchSpace& space_;
  LayerChoices found_;
};

}  // namespace

SearchSpace all_levels(const Hardware& hardware) {
  SearchSpace space{.clocks = clock_levels(hardware), .words = {hardware.words_per_cycle}};
  if (hardware.memory && hardware.memory->follows_demand) {
    space.words = word_levels(hardware);
    std::reverse(space.words.begin(), space.words.end());
  }
  return space;
}

std::vector<LayerSetting> Choices::settings_of(const Path& path) const {
  std::vector<LayerSetting> chosen;
  for (std::size_t layer = 0; layer < path.choices.size(); ++layer) {
    chosen.push_back(settings[layer][path.choices[layer]]);
  }
  return chosen;
}

Choices choices_of(std::span<const LayerDemand> demands, const Hardware& hardware, const LayerTimes& times,
                   const SearchSpace& space, Seconds budget) {
  Choices choices;
  choices.problem.levels = static_cast<std::uint32_t>(space.clocks.size());
  choices.problem.top = choices.problem.levels - 1;
  choices.problem.budget = budget;
  choices.problem.switch_time = hardware.switch_time;
  choices.problem.switch_energy = hardware.switch_energy();
  std::map<const systolic::MissSchedule*, LayerChoices> known;  // equal layers have equal choices
  for (const LayerDemand& demand : demands) {
    auto [entry, added] = known.try_emplace(demand.schedule.get());
    if (added) entry->second = LayerOptions(demand, hardware, times, space).all();
    choices.problem.layers.push_back(entry->second.choices);
    choices.settings.push_back(entry->second.settings);
  }
  return choices;
}

}  // namespace ergon::allocate
