// Conclusions on the paper's four questions. The texts describe this table, not the paper; where the two
// differ, they say so.

#include "report/sweep_conclusions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/si_prefixes.h"
#include "base/statistics/quantile.h"
#include "base/text.h"

namespace ergon::report {
namespace {

using sweep::ClockPoint;
using sweep::Correlation;
using sweep::kKneePoints;
using sweep::kNoCorrelation;
using sweep::kStrongCorrelation;
using sweep::Medians;
using sweep::NetworkEvaluation;
using sweep::SweepEvaluation;
using sweep::VarianceDecomposition;
using sweep::VarianceShares;

constexpr double kSmallCv = 0.2,
                 kLargeCv = 0.3;      // the paper: most are below the first, none above the second
constexpr double kMaxSlowdown = 1.5;  // the paper: no network is slower than that

using Maybe = std::optional<double>;

Conclusion::Number known_number(const Maybe& value) {
  return value ? Conclusion::Number(*value) : Conclusion::Number();
}

std::string share_text(double share) {
  const double hundredths = 100 * share;
  if (hundredths == 0 || hundredths == 100) return fmt::format("{:.0f} %", hundredths);
  return fmt::format("{:.{}f} %", hundredths, std::abs(hundredths) < 10 || std::abs(hundredths) > 99 ? 1 : 0);
}

std::string some_of_all(std::int64_t some, std::int64_t all) {
  const std::string every = grouped_digits(all);
  if (some == all) return "all " + every;
  return some == 0 ? "none of " + every : fmt::format("{} of {}", grouped_digits(some), every);
}

// "median 0.93, minimum 0.86 (GROMACS)", or "0.93" for a single network.
std::string correlation_text(std::int64_t networks, double median, double minimum, const std::string& title) {
  if (networks == 1) return fmt::format("{:.2f}", median);
  return fmt::format("median {:.2f}, minimum {:.2f} ({})", median, minimum, title);
}

// The network with the maximum or minimum of a value.
struct Extreme {
  const NetworkEvaluation* network = nullptr;
  double value = 0;

  std::string title() const { return printable(network->title); }
};

std::optional<Extreme> network_with_max(const std::vector<NetworkEvaluation>& networks,
                                        const std::function<Maybe(const NetworkEvaluation&)>& value) {
  std::optional<Extreme> most;
  for (const NetworkEvaluation& network : networks) {
    const Maybe one = value(network);
    if (one && (!most || *one > most->value)) most = {&network, *one};
  }
  return most;
}

std::optional<Extreme> network_with_min(const std::vector<NetworkEvaluation>& networks,
                                        const std::function<Maybe(const NetworkEvaluation&)>& value) {
  auto most = network_with_max(networks, [&](const NetworkEvaluation& network) {
    const Maybe one = value(network);
    return one ? Maybe(-*one) : one;
  });
  if (most) most->value = -most->value;
  return most;
}

std::int64_t count_networks(const std::vector<NetworkEvaluation>& networks,
                            const std::function<bool(const NetworkEvaluation&)>& condition) {
  return std::count_if(networks.begin(), networks.end(), condition);
}

Maybe pearson_of(const std::optional<Correlation>& r) { return r ? Maybe(r->pearson.estimate) : Maybe(); }
Maybe spearman_of(const std::optional<Correlation>& r) { return r ? Maybe(r->spearman.estimate) : Maybe(); }

// "median -0.93, strongest -0.98 (ge)".
std::string time_correlation_text(std::int64_t networks, double median, const Extreme& lowest) {
  if (networks == 1) return fmt::format("{:.2f}", median);
  return fmt::format("median {0:.2f}, {2} {1:.2f} ({3})", median, lowest.value,
                     lowest.value < 0 ? "strongest" : "lowest", lowest.title());
}

bool several_clocks(const std::vector<NetworkEvaluation>& networks) {
  return count_networks(networks, [](const auto& one) { return one.measured.points.size() > 1; }) > 0;
}

struct LargestVariation {
  double cv = 0;
  const NetworkEvaluation* network = nullptr;
  Hertz clock;
};

// Coefficients of variation of one quantity over repetitions.
struct Repeatability {
  std::int64_t points = 0, small = 0;
  std::optional<LargestVariation> largest;

  void add(const Maybe& cv, const NetworkEvaluation& network, Hertz clock) {
    if (!cv) return;
    ++points;
    small += *cv < kSmallCv;
    if (!largest || *cv > largest->cv) largest = {*cv, &network, clock};
  }
  Maybe share() const {
    return points > 0 ? Maybe(static_cast<double>(small) / static_cast<double>(points)) : Maybe();
  }
  bool is_exact() const { return !largest || largest->cv == 0; }
  std::string text(std::string_view what) const {
    if (is_exact()) {
      return points == 1 ? fmt::format("{}: the only point with repetitions repeats exactly", what)
                         : fmt::format("{}: {} points repeat exactly", what, some_of_all(points, points));
    }
    const std::string where =
        fmt::format("({} at {:.0f} MHz)", printable(largest->network->title), largest->clock.si() / kMega);
    if (points == 1)
      return fmt::format("{}: the only point with repetitions has a cv of {:.3g} {}", what, largest->cv,
                         where);
    return fmt::format("{}: {} points have a cv below {}; the maximum is {:.3g} {}", what,
                       some_of_all(small, points), kSmallCv, largest->cv, where);
  }
  void put(std::string_view what, Conclusion& conclusion) const {
    conclusion.numbers.emplace_back(fmt::format("{}_points", what), points);
    conclusion.numbers.emplace_back(fmt::format("{}_points_cv_below_0.2", what), small);
    conclusion.numbers.emplace_back(fmt::format("share_cv_{}_below_0.2", what), known_number(share()));
    conclusion.numbers.emplace_back(fmt::format("cv_{}_max", what),
                                    known_number(largest ? Maybe(largest->cv) : Maybe()));
    conclusion.numbers.emplace_back(
        fmt::format("cv_{}_max_network", what),
        largest ? Conclusion::Number(largest->network->title) : Conclusion::Number());
    conclusion.numbers.emplace_back(fmt::format("cv_{}_max_clock_mhz", what),
                                    known_number(largest ? Maybe(largest->clock.si() / kMega) : Maybe()));
  }
};

Conclusion repeatability(const SweepEvaluation& evaluation) {
  Repeatability time, power;
  for (const NetworkEvaluation& network : evaluation.networks) {
    for (const ClockPoint& point : network.measured.points) {
      time.add(point.time.cv, network, point.clock);
      if (point.power) power.add(point.power->cv, network, point.clock);
    }
  }
  Conclusion conclusion{1, {}, {}};
  time.put("time", conclusion);
  power.put("power", conclusion);
  if (time.points == 0) {
    conclusion.text = "Unknown: needs at least two repetitions of a point.";
    return conclusion;
  }
  const double worst = std::max(time.largest->cv, power.largest ? power.largest->cv : 0);
  const double small = std::min(*time.share(), power.share().value_or(1));
  std::string_view verdict = "Repetitions do not agree; single measurements are unreliable";
  if (time.is_exact() && power.is_exact()) {
    verdict = "Repetitions are exactly equal";
  } else if (small > 0.5 && worst <= kLargeCv) {
    verdict = "Repetitions agree";
  } else if (small >= 0.95) {
    verdict = "Repetitions agree except at a few points";
  }
  conclusion.text = fmt::format("{}. {}.", verdict, time.text("Time"));
  if (power.points > 0) conclusion.text += fmt::format(" {}.", power.text("Power"));
  return conclusion;
}

// The slowdown at the slowest clock, as text.
std::string times_text(const Extreme& slowest, std::int64_t networks, double median) {
  if (slowest.value == 1) return "time is the same at every clock";
  const std::string where =
      fmt::format("{} at {:.0f} MHz", slowest.title(), slowest.network->slowest_clock.si() / kMega);
  if (networks == 1) {
    return fmt::format("at its slowest clock it takes {:.3g} times as long as at its fastest ({})",
                       slowest.value, where);
  }
  return fmt::format(
      "the slowest clock takes {:.3g} times as long as the fastest (median), at most {:.3g} times ({})",
      median, slowest.value, where);
}

Conclusion clock_and_time(const SweepEvaluation& evaluation) {
  const auto& networks = evaluation.networks;
  const auto all = static_cast<std::int64_t>(networks.size());
  const auto r = [](const NetworkEvaluation& one) { return spearman_of(one.r_time_clock); };
  const auto known = count_networks(networks, [&](const auto& one) { return r(one).has_value(); });
  const auto strong = count_networks(networks, sweep::follows_clock);
  const auto none =
      count_networks(networks, [&](const auto& one) { return r(one) && std::abs(*r(one)) < kNoCorrelation; });
  const auto slow =
      count_networks(networks, [](const auto& one) { return one.relative_time_max > kMaxSlowdown; });
  const auto most_negative = network_with_min(networks, r);
  const auto slowest =
      network_with_max(networks, [](const auto& one) { return Maybe(one.relative_time_max); });
  const Medians& medians = evaluation.medians;

  Conclusion conclusion{2, {}, {}};
  conclusion.numbers = {
      {"networks", all},
      {"r_time_clock_median", known_number(medians.r_time_clock)},
      {"spearman_time_clock_median", known_number(medians.spearman_time_clock)},
      {"spearman_time_clock_min", known_number(most_negative ? Maybe(most_negative->value) : Maybe())},
      {"spearman_time_clock_min_network",
       most_negative ? Conclusion::Number(most_negative->network->title) : Conclusion::Number()},
      {"networks_spearman_at_most_-0.8", strong},
      {"networks_spearman_within_0.5", none},
      {"relative_time_max", slowest->value},
      {"relative_time_max_network", slowest->network->title},
      {"relative_time_max_clock_mhz", slowest->network->slowest_clock.si() / kMega},
      {"relative_time_max_median", known_number(medians.relative_time_max)},
      {"networks_slower_than_1.5", slow},
  };
  if (!several_clocks(networks)) {
    conclusion.text = "Unknown: needs at least two clocks.";
    return conclusion;
  }
  const std::string slowest_text = times_text(*slowest, all, *medians.relative_time_max);
  if (known == 0) {
    conclusion.text = fmt::format("Correlations cannot be computed; {}.", slowest_text);
    return conclusion;
  }
  std::string_view verdict = "Time depends on the clock for some networks and hardly for others";
  if (strong * 2 > known) {
    verdict = "Time decreases with the clock";
  } else if (none * 2 > known && slow == 0) {
    verdict = "Time hardly depends on the clock";
  } else if (slow == 0) {
    verdict = "Time depends weakly on the clock";
  }
  conclusion.text = fmt::format(
      "{}: the rank correlation is {}{}; {}.", verdict,
      time_correlation_text(known, *medians.spearman_time_clock, *most_negative),
      known == 1 ? "" : fmt::format(", {} or less for {}", -kStrongCorrelation, some_of_all(strong, known)),
      slowest_text);
  if (slow == 0) {
    conclusion.text += fmt::format(
        " As in the paper, no network is more than 50 % slower than at its fastest clock: a lower clock "
        "costs at most {} of time.",
        share_text(slowest->value - 1));
  } else {
    conclusion.text += fmt::format(
        " The paper's advice to lower the clock, because time hardly changes, does not hold here: {} {} more "
        "than 50 % slower at some clock.",
        all == 1 ? "the network" : fmt::format("{} networks", some_of_all(slow, all)),
        slow == 1 ? "is" : "are");
  }
  return conclusion;
}

// The energy saving, as text; empty if energy is unknown.
std::string saving_text(const SweepEvaluation& evaluation) {
  const Medians &medians = evaluation.medians, &bound = evaluation.time_bound_medians;
  if (!medians.best_energy_clock_mhz || !medians.energy_saving || !medians.time_cost) return "";
  std::string among;
  if (bound.networks < medians.networks && bound.best_energy_clock_mhz) {
    among =
        fmt::format(", {:.0f} MHz {}", *bound.best_energy_clock_mhz,
                    bound.networks == 1
                        ? std::string("for the network whose time depends on the clock")
                        : fmt::format("for the {} networks whose time depends on the clock", bound.networks));
  }
  return fmt::format(
      " The clock of minimum energy is {:.0f} MHz{}{}: {} less energy than at the highest clock and {} {} "
      "time{}.",
      *medians.best_energy_clock_mhz, medians.networks == 1 ? "" : " (median)", among,
      share_text(*medians.energy_saving), share_text(std::abs(*medians.time_cost)),
      *medians.time_cost < 0 ? "less" : "more", among.empty() ? "" : " (medians of all networks)");
}

// The knees, as text. `able`: networks that were measured at enough clocks.
std::string knees_text(const SweepEvaluation& evaluation, std::int64_t knees, std::int64_t able,
                       const Maybe& steepness, const std::optional<Extreme>& first,
                       const std::optional<Extreme>& last) {
  const auto all = static_cast<std::int64_t>(evaluation.networks.size());
  const std::string others =
      able < all ? fmt::format("; {} too few clocks",
                               all - able == 1 ? "one has" : fmt::format("{} have", all - able))
                 : "";
  if (able == 0) return fmt::format(" Knee: unknown, needs power at {} clocks.", kKneePoints);
  if (knees == 0) return fmt::format(" There is no knee{}.", others);
  std::string text = fmt::format(" Above a knee at {:.0f} MHz{} power rises", *evaluation.medians.knee_mhz,
                                 knees == 1 ? "" : " (median)");
  text += steepness ? fmt::format(" {:.2g} times as steeply", *steepness) : ", and not below it";
  if (all > 1) {
    text += fmt::format(" ({} networks have a knee, from {:.0f} to {:.0f} MHz{})", some_of_all(knees, able),
                        first->value, last->value, others);
  }
  return text + ".";
}

Conclusion clock_and_power(const SweepEvaluation& evaluation) {
  const auto& networks = evaluation.networks;
  const Medians& medians = evaluation.medians;
  const auto r = [](const NetworkEvaluation& one) { return pearson_of(one.r_power_clock); };
  const auto at = [](const NetworkEvaluation& one) { return one.knee ? Maybe(one.knee->at) : Maybe(); };
  const auto known = count_networks(networks, [&](const auto& one) { return r(one).has_value(); });
  const auto strong =
      count_networks(networks, [&](const auto& one) { return r(one).value_or(0) >= kStrongCorrelation; });
  const auto knees = count_networks(networks, [&](const auto& one) { return at(one).has_value(); });
  const auto able = count_networks(networks, [](const auto& one) {
    const auto& points = one.measured.points;
    return std::count_if(points.begin(), points.end(), [](const auto& point) {
             return point.power.has_value();
           }) >= static_cast<std::ptrdiff_t>(kKneePoints);
  });
  const auto weakest = network_with_min(networks, r);
  const auto first_knee = network_with_min(networks, at), last_knee = network_with_max(networks, at);
  std::vector<double> steeper;
  for (const NetworkEvaluation& one : networks) {
    if (one.knee && one.knee->slope_below > 0)
      steeper.push_back(one.knee->slope_above / one.knee->slope_below);
  }
  const Maybe steepness = statistics::median(steeper);

  Conclusion conclusion{3, {}, {}};
  const auto value = [](const std::optional<Extreme>& extreme) {
    return extreme ? Conclusion::Number(extreme->value) : Conclusion::Number();
  };
  conclusion.numbers = {
      {"networks", static_cast<std::int64_t>(networks.size())},
      {"r_power_clock_median", known_number(medians.r_power_clock)},
      {"r_power_clock_min", value(weakest)},
      {"r_power_clock_min_network",
       weakest ? Conclusion::Number(weakest->network->title) : Conclusion::Number()},
      {"networks_r_at_least_0.8", strong},
      {"knees", knees},
      {"networks_with_clocks_for_a_knee", able},
      {"knee_mhz_median", known_number(medians.knee_mhz)},
      {"knee_mhz_min", value(first_knee)},
      {"knee_mhz_max", value(last_knee)},
      {"slope_above_over_below_median", known_number(steepness)},
      {"best_energy_clock_mhz_median", known_number(medians.best_energy_clock_mhz)},
      {"best_energy_clock_mhz_median_time_bound",
       known_number(evaluation.time_bound_medians.best_energy_clock_mhz)},
      {"networks_time_bound", evaluation.time_bound_medians.networks},
      {"energy_saving_median", known_number(medians.energy_saving)},
      {"time_cost_median", known_number(medians.time_cost)},
  };
  if (known == 0) {
    conclusion.text = "Correlations cannot be computed: needs power at three clocks.";
  } else {
    std::string_view verdict = "Power increases with the clock for some networks";
    if (strong * 2 > known) {
      verdict = "Power increases with the clock";
    } else if (std::abs(*medians.r_power_clock) < kNoCorrelation) {
      verdict = "Power hardly depends on the clock";
    }
    conclusion.text =
        fmt::format("{}: the correlation is {}.", verdict,
                    correlation_text(known, *medians.r_power_clock, weakest->value, weakest->title()));
  }
  conclusion.text += knees_text(evaluation, knees, able, steepness, first_knee, last_knee);
  conclusion.text += saving_text(evaluation);
  return conclusion;
}

void put_shares(std::string_view what, const std::optional<VarianceShares>& shares, Conclusion& conclusion) {
  const auto put = [&](std::string_view part, const Maybe& share) {
    conclusion.numbers.emplace_back(fmt::format("{}_{}", what, part), known_number(share));
  };
  put("network", shares ? Maybe(shares->network) : Maybe());
  put("clock", shares ? Maybe(shares->clock) : Maybe());
  put("interaction", shares ? Maybe(shares->interaction) : Maybe());
  put("residual", shares ? shares->residual : Maybe());
}

std::string shares_text(std::string_view what, const VarianceShares& shares) {
  const bool network = shares.network >= shares.clock;
  const double more = std::max(shares.network, shares.clock), less = std::min(shares.network, shares.clock);
  constexpr double kTie = 0.1;  // maximum difference of shares that count as equal
  const std::string verdict = more - less <= kTie
                                  ? std::string("network and clock matter about equally")
                                  : fmt::format("the {} matters more", network ? "network" : "clock");
  std::string text = fmt::format(
      "For {}, {}: of the variance of its logarithm, {} is due to the {}, {} to the {} and {} to {}", what,
      verdict, share_text(more), network ? "network" : "clock", share_text(less),
      network ? "clock" : "network", share_text(shares.interaction),
      shares.residual ? "their interaction" : "their interaction and repetition");
  if (shares.residual) text += fmt::format("; {} is between repetitions", share_text(*shares.residual));
  return text + ".";
}

Conclusion network_or_clock(const SweepEvaluation& evaluation) {
  const VarianceDecomposition& variance = evaluation.variance;
  Conclusion conclusion{4, {}, {}};
  put_shares("log_time", variance.log_time, conclusion);
  put_shares("log_power", variance.log_power, conclusion);
  if (!variance.log_time && !variance.log_power) {
    conclusion.text = "Unknown: needs at least two networks at the same two clocks.";
    return conclusion;
  }
  if (variance.log_time) conclusion.text = shares_text("time", *variance.log_time);
  if (variance.log_power) {
    if (!conclusion.text.empty()) conclusion.text += " ";
    conclusion.text += shares_text("power", *variance.log_power);
  }
  if (variance.log_time && !variance.log_time->residual)
    conclusion.text += " Separating repetition from interaction needs at least two repetitions.";
  return conclusion;
}

}  // namespace

std::vector<Conclusion> conclusions_of(const SweepEvaluation& evaluation) {
  if (evaluation.networks.empty()) return {};
  return {repeatability(evaluation), clock_and_time(evaluation), clock_and_power(evaluation),
          network_or_clock(evaluation)};
}

}  // namespace ergon::report
