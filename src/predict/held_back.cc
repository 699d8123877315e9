#include "predict/held_back.h"

#include <fmt/format.h>

#include "profile/condition.h"

namespace ergon::predict {
namespace {

Score score_of(std::string what, const std::vector<const HeldBack*>& rows, double (HeldBack::*error)() const,
               double Widths::*width) {
  Score score{std::move(what), static_cast<std::int64_t>(rows.size()), 0, {}, {}};
  std::size_t covered = 0;
  for (const HeldBack* row : rows) {
    const double off = (row->*error)();
    score.mape += std::abs(off) / static_cast<double>(rows.size());
    if (std::abs(std::log1p(off)) <= row->widths.*width) ++covered;
  }
  score.coverage = static_cast<double>(covered) / static_cast<double>(rows.size());
  return score;
}

}  // namespace

std::vector<Score> scores_of(const std::vector<HeldBack>& held_back) {
  std::vector<Score> scores;
  for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
    std::vector<const HeldBack*> rows, powered;
    for (const HeldBack& each : held_back) {
      if (each.condition.mode != mode) continue;
      rows.push_back(&each);
      if (each.measured_power) powered.push_back(&each);
    }
    const auto named = [&](std::string_view quantity) {
      return fmt::format("networks, {}, {}", profile::name_of(mode), quantity);
    };
    if (!rows.empty()) scores.push_back(score_of(named("time"), rows, &HeldBack::time_error, &Widths::time));
    if (powered.empty()) continue;
    scores.push_back(score_of(named("power"), powered, &HeldBack::power_error, &Widths::power));
    scores.push_back(score_of(named("energy"), powered, &HeldBack::energy_error, &Widths::energy));
  }
  return scores;
}

}  // namespace ergon::predict
