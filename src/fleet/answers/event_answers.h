#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// The mean of what was added up with its squares.
MeanAnswer mean_of(double sum, double squares, std::uint64_t count);

// One answer for some cells of all hosts; hosts add up in the order of their names.
EventAnswer event_answer(const std::string& name, const Cell& cell, const Spread& spread);

// All cells of the tally that `belongs` takes, added up host by host.
template <typename Belongs>
Cell cell_of(const Tally& tally, const Belongs& belongs) {
  Cell all;
  for (const auto& [host, of_host] : tally.hosts) {
    for (const auto& [key, cell] : of_host.cells) {
      if (belongs(key)) all.merge(cell);
    }
  }
  return all;
}

std::vector<EventAnswer> event_answers(const Tally& tally);
// Of the event `outermost`; empty where no level is known.
std::vector<EventAnswer> level_answers(const Tally& tally, const std::string& outermost);
// The event in which most time is spent; "" without events.
std::string outermost_event(const Tally& tally);

}  // namespace ergon::fleet
