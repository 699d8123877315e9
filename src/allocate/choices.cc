#include "allocate/choices.h"

#include <algorithm>
#include <map>

#include "allocate/bill.h"

namespace ergon::allocate {
namespace {

struct LayerChoices {
  std::vector<Choice> choices;
  std::vector<Setting> settings;
};

bool is_no_better(const Choice& a, const Choice& b) {
  return a.enters == b.enters && a.leaves == b.leaves && a.time >= b.time && a.energy >= b.energy &&
         a.time_after_switch >= b.time_after_switch && a.energy_after_switch >= b.energy_after_switch;
}

// All ways to run one layer, without those that another one beats in every respect.
class LayerOptions {
 public:
  LayerOptions(const Demand& demand, const Hardware& hardware, const LayerTimes& times,
               const Freedom& freedom)
      : demand_(demand), hardware_(hardware), times_(times), freedom_(freedom) {}

  LayerChoices all() {
    const auto top = static_cast<std::uint32_t>(freedom_.clocks.size() - 1);
    for (std::uint32_t rung = 0; rung <= top; ++rung) {
      for (const double words : freedom_.words) {
        // What fits into a scratchpad at once is fetched before the first cycle and not felt; it has to come
        // all the same.
        if (words < demand_.required_words && words < hardware_.words_per_cycle) continue;
        Setting setting{freedom_.clocks[rung], words, {}};
        add(setting, rung, rung, 0);
        if (rung == top) continue;
        if (freedom_.early_switch) add(setting, rung, Choice::kAnywhere, 1);
        if (!freedom_.tails) continue;
        for (const std::int64_t line : tail_lines(demand_, hardware_, setting)) {
          setting.tail = Tail{line, hardware_.clock};
          add(setting, rung, top, 0);
        }
      }
    }
    return std::move(found_);
  }

 private:
  void add(const Setting& setting, std::uint32_t enters, std::uint32_t leaves, int switches) {
    const LayerTime time = times_.of(demand_, setting, switches);
    const LayerTime after = times_.of(demand_, setting, switches + 1);
    const int inside = switches + (setting.tail ? 1 : 0);
    const Joules extra = hardware_.switch_energy() * inside;
    const Choice choice{.enters = enters,
                        .leaves = leaves,
                        .time = time.total,
                        .time_after_switch = after.total,
                        .energy = bill_of(demand_, hardware_, setting, time).total() + extra,
                        .energy_after_switch = bill_of(demand_, hardware_, setting, after).total() + extra};
    const auto& known = found_.choices;
    if (std::any_of(known.begin(), known.end(),
                    [&](const Choice& other) { return is_no_better(choice, other); })) {
      return;
    }
    found_.choices.push_back(choice);
    found_.settings.push_back(setting);
  }

  const Demand& demand_;
  const Hardware& hardware_;
  const LayerTimes& times_;
  const Freedom& freedom_;
  LayerChoices found_;
};

}  // namespace

Freedom all_levels(const Hardware& hardware) {
  Freedom freedom{.clocks = clock_levels(hardware), .words = {hardware.words_per_cycle}};
  if (hardware.memory && hardware.memory->follows_demand) {
    freedom.words = word_levels(hardware);
    std::reverse(freedom.words.begin(), freedom.words.end());
  }
  return freedom;
}

std::vector<Setting> Choices::settings_of(const Path& path) const {
  std::vector<Setting> chosen;
  for (std::size_t layer = 0; layer < path.choices.size(); ++layer) {
    chosen.push_back(settings[layer][path.choices[layer]]);
  }
  return chosen;
}

Choices choices_of(std::span<const Demand> demands, const Hardware& hardware, const LayerTimes& times,
                   const Freedom& freedom, Seconds budget) {
  Choices choices;
  choices.problem.levels = static_cast<std::uint32_t>(freedom.clocks.size());
  choices.problem.top = choices.problem.levels - 1;
  choices.problem.budget = budget;
  choices.problem.switch_time = hardware.switch_time;
  choices.problem.switch_energy = hardware.switch_energy();
  std::map<const systolic::MissSchedule*, LayerChoices> known;  // equal layers have equal choices
  for (const Demand& demand : demands) {
    auto [place, added] = known.try_emplace(demand.schedule.get());
    if (added) place->second = LayerOptions(demand, hardware, times, freedom).all();
    choices.problem.layers.push_back(place->second.choices);
    choices.settings.push_back(place->second.settings);
  }
  return choices;
}

}  // namespace ergon::allocate
