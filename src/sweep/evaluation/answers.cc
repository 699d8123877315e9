// The paper's four questions, answered by the numbers. A text says what is so in this table, not what the
// paper found; where the two differ it says that.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/si_prefixes.h"
#include "base/statistics/quantile.h"
#include "base/text.h"
#include "sweep/evaluation/evaluation.h"

namespace ergon::sweep {
namespace {

constexpr double kSmallVariation = 0.2, kLargeVariation = 0.3;  // the paper: most below, none above
constexpr double kSlow = 1.5;                                   // the paper: never slower than that

using Maybe = std::optional<double>;

Answer::Number number(const Maybe& value) { return value ? Answer::Number(*value) : Answer::Number(); }

std::string percent(double share) {
  const double hundredths = 100 * share;
  if (hundredths == 0 || hundredths == 100) return fmt::format("{:.0f} %", hundredths);
  return fmt::format("{:.{}f} %", hundredths, std::abs(hundredths) < 10 || std::abs(hundredths) > 99 ? 1 : 0);
}

std::string of(std::int64_t some, std::int64_t all) {
  const std::string every = grouped_digits(all);
  if (some == all) return "all " + every;
  return some == 0 ? "none of " + every : fmt::format("{} of {}", grouped_digits(some), every);
}

// "0.93 in the median and 0.86 at least (GROMACS)", or "0.93" of a single network.
std::string correlation_text(std::int64_t networks, double median, double least, const std::string& title) {
  if (networks == 1) return fmt::format("{:.2f}", median);
  return fmt::format("{:.2f} in the median and {:.2f} at least ({})", median, least, title);
}

// The network that has most of something, and how much.
struct Extreme {
  const NetworkEvaluation* network = nullptr;
  double value = 0;

  std::string title() const { return printable(network->title); }
};

std::optional<Extreme> greatest(const std::vector<NetworkEvaluation>& networks,
                                const std::function<Maybe(const NetworkEvaluation&)>& value) {
  std::optional<Extreme> most;
  for (const NetworkEvaluation& network : networks) {
    const Maybe one = value(network);
    if (one && (!most || *one > most->value)) most = {&network, *one};
  }
  return most;
}

std::optional<Extreme> least(const std::vector<NetworkEvaluation>& networks,
                             const std::function<Maybe(const NetworkEvaluation&)>& value) {
  auto most = greatest(networks, [&](const NetworkEvaluation& network) {
    const Maybe one = value(network);
    return one ? Maybe(-*one) : one;
  });
  if (most) most->value = -most->value;
  return most;
}

std::int64_t count(const std::vector<NetworkEvaluation>& networks,
                   const std::function<bool(const NetworkEvaluation&)>& condition) {
  return std::count_if(networks.begin(), networks.end(), condition);
}

Maybe pearson(const std::optional<Correlation>& r) { return r ? Maybe(r->pearson.estimate) : Maybe(); }
Maybe spearman(const std::optional<Correlation>& r) { return r ? Maybe(r->spearman.estimate) : Maybe(); }

// "-0.93 in the median and -0.98 at its strongest (ge)".
std::string time_correlation_text(std::int64_t networks, double median, const Extreme& lowest) {
  if (networks == 1) return fmt::format("{:.2f}", median);
  return fmt::format("{:.2f} in the median and {:.2f} at its {} ({})", median, lowest.value,
                     lowest.value < 0 ? "strongest" : "lowest", lowest.title());
}

bool several_clocks(const std::vector<NetworkEvaluation>& networks) {
  return count(networks, [](const auto& one) { return one.measured.points.size() > 1; }) > 0;
}

struct LargestVariation {
  double cv = 0;
  const NetworkEvaluation* network = nullptr;
  Hertz clock;
};

// How far repetitions of the points are apart, for one quantity.
struct Repetition {
  std::int64_t points = 0, small = 0;
  std::optional<LargestVariation> largest;

  void add(const Maybe& cv, const NetworkEvaluation& network, Hertz clock) {
    if (!cv) return;
    ++points;
    small += *cv < kSmallVariation;
    if (!largest || *cv > largest->cv) largest = {*cv, &network, clock};
  }
  Maybe share() const {
    return points > 0 ? Maybe(static_cast<double>(small) / static_cast<double>(points)) : Maybe();
  }
  std::string text(std::string_view what) const {
    const std::string where =
        fmt::format("({} at {:.0f} MHz)", printable(largest->network->title), largest->clock.si() / kMega);
    if (points == 1)
      return fmt::format("{}: the only point with repetitions varies by {:.3g} {}", what, largest->cv, where);
    return fmt::format("{}: {} points vary by less than {}, {} {:.3g} {}", what, of(small, points),
                       kSmallVariation, small == points ? "at most" : "the largest variation is", largest->cv,
                       where);
  }
  void put(std::string_view what, Answer& answer) const {
    answer.numbers.emplace_back(fmt::format("{}_points", what), points);
    answer.numbers.emplace_back(fmt::format("{}_points_cv_below_0.2", what), small);
    answer.numbers.emplace_back(fmt::format("share_cv_{}_below_0.2", what), number(share()));
    answer.numbers.emplace_back(fmt::format("cv_{}_max", what),
                                number(largest ? Maybe(largest->cv) : Maybe()));
    answer.numbers.emplace_back(fmt::format("cv_{}_max_network", what),
                                largest ? Answer::Number(largest->network->title) : Answer::Number());
    answer.numbers.emplace_back(fmt::format("cv_{}_max_clock_mhz", what),
                                number(largest ? Maybe(largest->clock.si() / kMega) : Maybe()));
  }
};

Answer repeatability(const Evaluation& evaluation) {
  Repetition time, power;
  for (const NetworkEvaluation& network : evaluation.networks) {
    for (const ClockPoint& point : network.measured.points) {
      time.add(point.time.cv, network, point.clock);
      if (point.power) power.add(point.power->cv, network, point.clock);
    }
  }
  Answer answer{1, {}, {}};
  time.put("time", answer);
  power.put("power", answer);
  if (time.points == 0) {
    answer.text = "Cannot be said: this needs at least two repetitions of a point, and every point has one.";
    return answer;
  }
  const double worst = std::max(time.largest->cv, power.largest ? power.largest->cv : 0);
  const double small = std::min(*time.share(), power.share().value_or(1));
  std::string_view verdict = "Repetitions do not agree, and single numbers are not to be trusted";
  if (small > 0.5 && worst <= kLargeVariation) {
    verdict = "Repetitions agree";
  } else if (small >= 0.95) {
    verdict = "Repetitions agree but for a few points";
  }
  answer.text = fmt::format("{}. {}.", verdict, time.text("Time"));
  if (power.points > 0) answer.text += fmt::format(" {}.", power.text("Power"));
  return answer;
}

// How much longer the slowest clock takes, in words.
std::string times_text(const Extreme& slowest, std::int64_t networks, double median) {
  if (slowest.value == 1) return "every clock takes as long as every other";
  const std::string where =
      fmt::format("{} at {:.0f} MHz", slowest.title(), slowest.network->slowest_clock.si() / kMega);
  if (networks == 1) {
    return fmt::format("the slowest clock takes {:.3g} times as long as the fastest ({})", slowest.value,
                       where);
  }
  return fmt::format(
      "the slowest clock takes {:.3g} times as long as the fastest in the median and {:.3g} times at most "
      "({})",
      median, slowest.value, where);
}

Answer clock_and_time(const Evaluation& evaluation) {
  const auto& networks = evaluation.networks;
  const auto all = static_cast<std::int64_t>(networks.size());
  const auto r = [](const NetworkEvaluation& one) { return spearman(one.r_time_clock); };
  const auto known = count(networks, [&](const auto& one) { return r(one).has_value(); });
  const auto strong = count(networks, follows_clock);
  const auto none =
      count(networks, [&](const auto& one) { return r(one) && std::abs(*r(one)) < kNoCorrelation; });
  const auto slow = count(networks, [](const auto& one) { return one.relative_time_max > kSlow; });
  const auto most_negative = least(networks, r);
  const auto slowest = greatest(networks, [](const auto& one) { return Maybe(one.relative_time_max); });
  const Medians& medians = evaluation.medians;

  Answer answer{2, {}, {}};
  answer.numbers = {
      {"networks", all},
      {"r_time_clock_median", number(medians.r_time_clock)},
      {"spearman_time_clock_median", number(medians.spearman_time_clock)},
      {"spearman_time_clock_least", number(most_negative ? Maybe(most_negative->value) : Maybe())},
      {"spearman_time_clock_least_network",
       most_negative ? Answer::Number(most_negative->network->title) : Answer::Number()},
      {"networks_spearman_at_most_-0.8", strong},
      {"networks_spearman_within_0.5", none},
      {"relative_time_max", slowest->value},
      {"relative_time_max_network", slowest->network->title},
      {"relative_time_max_clock_mhz", slowest->network->slowest_clock.si() / kMega},
      {"relative_time_max_median", number(medians.relative_time_max)},
      {"networks_slower_than_1.5", slow},
  };
  if (!several_clocks(networks)) {
    answer.text = "Cannot be said: this needs at least two clocks.";
    return answer;
  }
  const std::string slowest_text = times_text(*slowest, all, *medians.relative_time_max);
  if (known == 0) {
    answer.text = fmt::format("No correlation can be computed; {}.", slowest_text);
    return answer;
  }
  std::string_view verdict = "Time follows the clock for some networks and hardly for others";
  if (strong * 2 > known) {
    verdict = "Time follows the clock";
  } else if (none * 2 > known && slow == 0) {
    verdict = "The clock hardly matters for time";
  } else if (slow == 0) {
    verdict = "The clock has some influence on time";
  }
  answer.text = fmt::format(
      "{}: their rank correlation is {}{}; {}.", verdict,
      time_correlation_text(known, *medians.spearman_time_clock, *most_negative),
      known == 1 ? "" : fmt::format(", {} or less for {}", -kStrongCorrelation, of(strong, known)),
      slowest_text);
  if (slow == 0) {
    answer.text += fmt::format(
        " As in the paper, nothing is ever more than 50 % slower than at its fastest: a lower clock costs at "
        "most {} "
        "of time here.",
        percent(slowest->value - 1));
  } else {
    answer.text += fmt::format(
        " The paper's advice, to lower the clock as time hardly changes, does not hold here: {} {} more than "
        "50 % "
        "slower at some clock.",
        all == 1 ? "the network" : fmt::format("{} networks", of(slow, all)), slow == 1 ? "is" : "are");
  }
  return answer;
}

// What can be saved, in words; empty where energy is not known.
std::string saving_text(const Evaluation& evaluation) {
  const Medians &medians = evaluation.medians, &bound = evaluation.time_bound_medians;
  if (!medians.best_energy_clock_mhz || !medians.energy_saving || !medians.time_cost) return "";
  std::string among;
  if (bound.networks < medians.networks && bound.best_energy_clock_mhz) {
    among = fmt::format(", {:.0f} MHz {}", *bound.best_energy_clock_mhz,
                        bound.networks == 1
                            ? std::string("in the one whose time follows the clock")
                            : fmt::format("among the {} whose time follows the clock", bound.networks));
  }
  return fmt::format(
      " A run costs least energy at {:.0f} MHz{}{}: {} less than at the highest clock, for {} {} "
      "time{}.",
      *medians.best_energy_clock_mhz, medians.networks == 1 ? "" : " in the median", among,
      percent(*medians.energy_saving), percent(std::abs(*medians.time_cost)),
      *medians.time_cost < 0 ? "less" : "more", among.empty() ? "" : ", in the median of all");
}

// What is known of knees, in words; `able` networks were measured at enough clocks to have one.
std::string knees_text(const Evaluation& evaluation, std::int64_t knees, std::int64_t able,
                       const Maybe& steepness, const std::optional<Extreme>& first,
                       const std::optional<Extreme>& last) {
  const auto all = static_cast<std::int64_t>(evaluation.networks.size());
  const std::string others =
      able < all ? fmt::format("; {} too few clocks to tell",
                               all - able == 1 ? "one has" : fmt::format("{} have", all - able))
                 : "";
  if (able == 0)
    return fmt::format(" Whether it has a knee cannot be said: that needs power at {} clocks.", kKneePoints);
  if (knees == 0) return fmt::format(" It has no knee{}.", others);
  std::string text = fmt::format(" Beyond a knee at {:.0f} MHz{} it rises", *evaluation.medians.knee_mhz,
                                 knees == 1 ? "" : " in the median");
  text += steepness ? fmt::format(" {:.2g} times as steeply", *steepness) : " where it did not before";
  if (all > 1) {
    text += fmt::format(" ({} networks have one, from {:.0f} to {:.0f} MHz{})", of(knees, able), first->value,
                        last->value, others);
  }
  return text + ".";
}

Answer clock_and_power(const Evaluation& evaluation) {
  const auto& networks = evaluation.networks;
  const Medians& medians = evaluation.medians;
  const auto r = [](const NetworkEvaluation& one) { return pearson(one.r_power_clock); };
  const auto at = [](const NetworkEvaluation& one) { return one.knee ? Maybe(one.knee->at) : Maybe(); };
  const auto known = count(networks, [&](const auto& one) { return r(one).has_value(); });
  const auto strong =
      count(networks, [&](const auto& one) { return r(one).value_or(0) >= kStrongCorrelation; });
  const auto knees = count(networks, [&](const auto& one) { return at(one).has_value(); });
  const auto able = count(networks, [](const auto& one) {
    const auto& points = one.measured.points;
    return std::count_if(points.begin(), points.end(), [](const auto& point) {
             return point.power.has_value();
           }) >= static_cast<std::ptrdiff_t>(kKneePoints);
  });
  const auto weakest = least(networks, r);
  const auto first_knee = least(networks, at), last_knee = greatest(networks, at);
  std::vector<double> steeper;
  for (const NetworkEvaluation& one : networks) {
    if (one.knee && one.knee->slope_below > 0)
      steeper.push_back(one.knee->slope_above / one.knee->slope_below);
  }
  const Maybe steepness = statistics::median(steeper);

  Answer answer{3, {}, {}};
  const auto value = [](const std::optional<Extreme>& extreme) {
    return extreme ? Answer::Number(extreme->value) : Answer::Number();
  };
  answer.numbers = {
      {"networks", static_cast<std::int64_t>(networks.size())},
      {"r_power_clock_median", number(medians.r_power_clock)},
      {"r_power_clock_least", value(weakest)},
      {"r_power_clock_least_network", weakest ? Answer::Number(weakest->network->title) : Answer::Number()},
      {"networks_r_at_least_0.8", strong},
      {"knees", knees},
      {"networks_with_clocks_for_a_knee", able},
      {"knee_mhz_median", number(medians.knee_mhz)},
      {"knee_mhz_least", value(first_knee)},
      {"knee_mhz_greatest", value(last_knee)},
      {"slope_above_over_below_median", number(steepness)},
      {"best_energy_clock_mhz_median", number(medians.best_energy_clock_mhz)},
      {"best_energy_clock_mhz_median_time_bound",
       number(evaluation.time_bound_medians.best_energy_clock_mhz)},
      {"networks_time_bound", evaluation.time_bound_medians.networks},
      {"energy_saving_median", number(medians.energy_saving)},
      {"time_cost_median", number(medians.time_cost)},
  };
  if (known == 0) {
    answer.text = "No correlation can be computed: this needs power at three clocks.";
  } else {
    std::string_view verdict = "Power follows the clock for some networks";
    if (strong * 2 > known) {
      verdict = "Power rises with the clock";
    } else if (std::abs(*medians.r_power_clock) < kNoCorrelation) {
      verdict = "Power hardly depends on the clock";
    }
    answer.text =
        fmt::format("{}: their correlation is {}.", verdict,
                    correlation_text(known, *medians.r_power_clock, weakest->value, weakest->title()));
  }
  answer.text += knees_text(evaluation, knees, able, steepness, first_knee, last_knee);
  answer.text += saving_text(evaluation);
  return answer;
}

void put_shares(std::string_view what, const std::optional<VarianceShares>& shares, Answer& answer) {
  const auto put = [&](std::string_view part, const Maybe& share) {
    answer.numbers.emplace_back(fmt::format("{}_{}", what, part), number(share));
  };
  put("network", shares ? Maybe(shares->network) : Maybe());
  put("clock", shares ? Maybe(shares->clock) : Maybe());
  put("interaction", shares ? Maybe(shares->interaction) : Maybe());
  put("residual", shares ? shares->residual : Maybe());
}

std::string shares_text(std::string_view what, const VarianceShares& shares) {
  const bool network = shares.network >= shares.clock;
  const double more = std::max(shares.network, shares.clock), less = std::min(shares.network, shares.clock);
  constexpr double kTie = 0.1;  // shares no further apart count about equally
  const std::string verdict = more - less <= kTie
                                  ? std::string("both count about equally")
                                  : fmt::format("it is the {}", network ? "network" : "clock");
  std::string text = fmt::format(
      "For {} {}: of the variance of its logarithm, {} goes with the {}, {} with "
      "the {} and {} with {}",
      what, verdict, percent(more), network ? "network" : "clock", percent(less),
      network ? "clock" : "network", percent(shares.interaction),
      shares.residual ? "how differently the clock works on networks"
                      : "how differently the clock works on networks, repetition included");
  if (shares.residual) text += fmt::format("; {} is between repetitions", percent(*shares.residual));
  return text + ".";
}

Answer network_or_clock(const Evaluation& evaluation) {
  const Variance& variance = evaluation.variance;
  Answer answer{4, {}, {}};
  put_shares("log_time", variance.log_time, answer);
  put_shares("log_power", variance.log_power, answer);
  if (!variance.log_time && !variance.log_power) {
    answer.text =
        "Cannot be said: this needs at least two networks that were measured at the same two clocks.";
    return answer;
  }
  if (variance.log_time) answer.text = shares_text("time", *variance.log_time);
  if (variance.log_power) {
    if (!answer.text.empty()) answer.text += " ";
    answer.text += shares_text("power", *variance.log_power);
  }
  if (variance.log_time && !variance.log_time->residual)
    answer.text += " To tell repetition from interaction needs at least two repetitions.";
  return answer;
}

}  // namespace

std::vector<Answer> answers_of(const Evaluation& evaluation) {
  if (evaluation.networks.empty()) return {};
  return {repeatability(evaluation), clock_and_time(evaluation), clock_and_power(evaluation),
          network_or_clock(evaluation)};
}

}  // namespace ergon::sweep
