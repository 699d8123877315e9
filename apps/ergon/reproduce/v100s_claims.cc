#include "reproduce/v100s_claims.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/statistics/quantile.h"
#include "base/text.h"

namespace ergon::app {
namespace {

using sweep::NetworkEvaluation;

constexpr double kStrong = 0.8, kWeak = 0.5;  // the paper calls less than 0.5 no correlation

// A value of each network that has one.
struct Ranked {
  std::string network;
  double value;
};

template <typename Of>
std::vector<Ranked> ranked(const sweep::Evaluation& evaluation, const Of& of) {
  std::vector<Ranked> all;
  for (const NetworkEvaluation& each : evaluation.networks) {
    if (const std::optional<double> value = of(each)) all.push_back({each.measured.network, *value});
  }
  std::sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
  return all;
}

double median_of(const std::vector<Ranked>& all) {
  std::vector<double> values;
  for (const Ranked& each : all) values.push_back(each.value);
  return statistics::median(values).value_or(0);
}

std::string first_names(const std::vector<Ranked>& all, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
    names.push_back(fmt::format("{} {:.2f}", all[i].network, all[i].value));
  return fmt::format("{}", fmt::join(names, ", "));
}

Claim named(const char* id, Claim claim) {
  claim.id = id;
  return claim;
}

std::optional<double> pearson_of(const std::optional<sweep::Correlation>& correlation) {
  return correlation ? std::optional(correlation->pearson.estimate) : std::nullopt;
}

Claim power_follows_clock(const sweep::Evaluation& all) {
  const auto r = ranked(all, [](const auto& each) { return pearson_of(each.r_power_clock); });
  return named("power_follows_clock", {.where = "Fig. 8",
                                       .claim = "power follows the clock closely, in every network",
                                       .paper = "very high, some close to 1",
                                       .ours = fmt::format("r {:.2f} ({}) to {:.2f}", r.front().value,
                                                           r.front().network, r.back().value),
                                       .verdict = holds_if(r.front().value >= kStrong),
                                       .reason = "strong is 0.8 and above; it is lowest where the work is "
                                                 "over before the sensor, which looks for 10 of "
                                                 "every 20 ms, has seen it",
                                       .fitted = true});
}

Claim time_hardly_follows(const sweep::Evaluation& all) {
  const auto r = ranked(all, [](const auto& each) { return pearson_of(each.r_time_clock); });
  const auto positive = ranked(all, [](const auto& each) -> std::optional<double> {
    if (!each.r_time_clock || each.r_time_clock->pearson.low.value_or(0) <= 0) return std::nullopt;
    return each.r_time_clock->pearson.estimate;
  });
  const double median = median_of(r);
  return named(
      "time_hardly_follows",
      {.where = "Fig. 8",
       .claim = "time falls with the clock, but hardly",
       .paper = "all negative and very small",
       .ours = fmt::format("median r {:.2f}, from {:.2f} to {:.2f}", median, r.front().value, r.back().value),
       .verdict = !positive.empty() || median >= 0 || median <= -kWeak ? Verdict::no
                  : r.back().value < 0                                 ? Verdict::exactly
                                                                       : Verdict::approximately,
       .reason = "asked of the median, and that no network's interval lies above 0: where the true "
                 "correlation is nearly 0, one of 31 comes out on the other side by chance",
       .fitted = true});
}

Claim strongest_in_few_layers(const sweep::Evaluation& all) {
  const auto r = ranked(all, [](const auto& each) { return pearson_of(each.r_time_clock); });
  std::set<std::string> first;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, r.size()); ++i) first.insert(r[i].network);
  return named(
      "time_follows_most",
      {.where = "4.1",
       .claim = "most in alexnet, vgg16 and vgg19",
       .paper = "these three",
       .ours = first_names(r, 3),
       .verdict = holds_if(first == std::set<std::string>{"alexnet", "vgg16", "vgg19"}),
       .reason = "networks of few layers have the least host time to hide behind, so the VGGs are among the "
                 "first here too. The wide BiT networks keep the GPU as busy, and AlexNet less, as most of "
                 "its time is dense layers that no search repeats"});
}

Claim never_much_slower(const sweep::Evaluation& all) {
  const auto relative =
      ranked(all, [](const auto& each) { return std::optional<double>(each.relative_time_max); });
  return named("never_half_slower",
               {.where = "4.2",
                .claim = "no clock is 1.5 times slower than the fastest",
                .paper = "at most 1.5",
                .ours = fmt::format("at most {:.2f} ({})", relative.back().value, relative.back().network),
                .verdict = holds_if(relative.back().value <= 1.5),
                .reason = "the host's part of an execution was chosen by this",
                .fitted = true});
}

Claim steeper_past_knee(const sweep::Evaluation& all) {
  const auto knees = ranked(
      all, [](const auto& each) { return each.knee ? std::optional<double>(each.knee->at) : std::nullopt; });
  const double median = median_of(knees);
  constexpr double kPaper = 1200, kAbout = 0.15;
  const bool most = knees.size() * 10 >= all.networks.size() * 8;
  return named(
      "steeper_past_1200",
      {.where = "4.2",
       .claim = "power rises faster past 1200 MHz, in most networks",
       .paper = "1200 MHz",
       .ours = fmt::format("{:.0f} MHz in the median of {} of {}", median, knees.size(), all.networks.size()),
       .verdict = !most || median < kPaper * (1 - kAbout) || median > kPaper * (1 + kAbout)
                      ? Verdict::no
                      : Verdict::approximately,
       .reason = "the voltage of the twin rises from 1013 MHz on, as a V100's was measured to"});
}

std::string share_text(const std::vector<double>& values, double most) {
  const auto under = std::count_if(values.begin(), values.end(), [](double value) { return value < 0.2; });
  return fmt::format("{} of {} under 0.2, largest {:.2f}", grouped_digits(under),
                     grouped_digits(static_cast<std::int64_t>(values.size())), most);
}

// Of every network and clock.
template <typename Of>
Claim repeatable(const sweep::Evaluation& all, Claim claim, const Of& of) {
  std::vector<double> values;
  for (const NetworkEvaluation& each : all.networks) {
    for (const sweep::ClockPoint& point : each.measured.points) {
      if (const std::optional<double> cv = of(point)) values.push_back(*cv);
    }
  }
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  const auto under = std::count_if(values.begin(), values.end(), [](double value) { return value < 0.2; });
  claim.where = "4.2";
  claim.paper = "most under 0.2, none over 0.3";
  claim.ours = share_text(values, most);
  claim.verdict =
      holds_if(!values.empty() && under * 2 > static_cast<std::ptrdiff_t>(values.size()) && most <= 0.3);
  return claim;
}

// From the lowest clock to the highest, along the trend.
std::optional<double> rise_of(const NetworkEvaluation& each) {
  if (each.power_trend.size() < 2) return std::nullopt;
  return each.power_trend.back().fit - each.power_trend.front().fit;
}

// At a clock, along the trend.
double power_at(const NetworkEvaluation& each, double mhz) {
  const auto nearest =
      std::min_element(each.power_trend.begin(), each.power_trend.end(), [&](const auto& a, const auto& b) {
        return std::fabs(a.clock_mhz - mhz) < std::fabs(b.clock_mhz - mhz);
      });
  return nearest == each.power_trend.end() ? 0 : nearest->fit;
}

const NetworkEvaluation& evaluation_of(const sweep::Evaluation& all, const std::string& network) {
  return *std::find_if(all.networks.begin(), all.networks.end(),
                       [&](const NetworkEvaluation& each) { return each.measured.network == network; });
}

Claim steepest(const sweep::Evaluation& all) {
  const auto rises = ranked(all, rise_of);
  const std::string expected = "m-r154x4";
  const NetworkEvaluation& bit = evaluation_of(all, expected);
  const NetworkEvaluation& first = evaluation_of(all, rises.back().network);
  return named("rises_most",
               {.where = "Fig. 6",
                .claim = "m-r154x4's power rises most",
                .paper = expected,
                .ours = fmt::format("{} by {:.0f} W; m-r154x4 by {:.0f} W", rises.back().network,
                                    rises.back().value, rise_of(bit).value_or(0)),
                .verdict = holds_if(rises.back().network == expected),
                .reason = fmt::format("by what the twin thinks of its kernels {} draws more: {:.0f} W "
                                      "against {:.0f} W at 1200 MHz already",
                                      rises.back().network, power_at(first, 1200), power_at(bit, 1200))});
}

Claim flattest(const sweep::Evaluation& all) {
  const auto rises = ranked(all, rise_of);
  return named("rises_least", {.where = "Fig. 6",
                               .claim = "nasnetmobile's power rises least",
                               .paper = "nasnetmobile",
                               .ours = fmt::format("{} by {:.0f} W, {} by {:.0f} W", rises[0].network,
                                                   rises[0].value, rises[1].network, rises[1].value),
                               .verdict = holds_if(rises.front().network == "nasnetmobile"),
                               .reason = "many small layers: the GPU waits for its host most of the time"});
}

Claim nasnets_rise_early(const sweep::Evaluation& all) {
  const auto knees = ranked(
      all, [](const auto& each) { return each.knee ? std::optional<double>(each.knee->at) : std::nullopt; });
  const double median = median_of(knees);
  std::vector<std::string> words;
  bool early = true;
  for (const std::string name : {"nasnetlarge", "nasnetmobile"}) {
    const auto found =
        std::find_if(knees.begin(), knees.end(), [&](const Ranked& each) { return each.network == name; });
    words.push_back(found == knees.end() ? std::string("no knee") : fmt::format("{:.0f}", found->value));
    // Earlier than usual by more than a few steps of the clock.
    early = early && found != knees.end() && found->value < median * 0.95;
  }
  return named(
      "nasnets_rise_early",
      {.where = "4.2",
       .claim = "the NASNets rise earlier than others",
       .paper = "before 1200 MHz",
       .ours = fmt::format("{} MHz; median {:.0f} MHz", fmt::join(words, " and "), median),
       .verdict = holds_if(early),
       .reason =
           "on the twin all networks share one voltage and bend where it begins to rise: the NASNets rise "
           "before 1200 MHz, and so do the others"});
}

// Contract: all networks of Table 1 are there.
std::vector<Claim> judged(const sweep::Evaluation& all) {
  return {power_follows_clock(all),
          time_hardly_follows(all),
          strongest_in_few_layers(all),
          never_much_slower(all),
          steeper_past_knee(all),
          repeatable(all,
                     named("time_repeats", {.claim = "repeated times agree",
                                            .reason = "the host's scatter was chosen by this",
                                            .fitted = true}),
                     [](const sweep::ClockPoint& point) { return point.time.cv; }),
          repeatable(
              all,
              named("power_repeats",
                    {.claim = "repeated powers agree",
                     .reason =
                         "where the GPU works for less than a few periods of the sensor, the sensor sees it "
                         "one time and misses it another"}),
              [](const sweep::ClockPoint& point) { return point.power ? point.power->cv : std::nullopt; }),
          steepest(all),
          flattest(all),
          nasnets_rise_early(all)};
}

}  // namespace

Result<std::vector<Claim>> v100s_claims(const V100sStudy& study) {
  const sweep::Evaluation& all = study.execution;
  if (all.networks.size() != study.shares.size()) {
    return fail(Errc::invalid_input, "only {} of {} networks have runs that can be evaluated",
                all.networks.size(), study.shares.size());
  }
  return judged(all);
}

}  // namespace ergon::app
