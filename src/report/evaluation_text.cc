#include "report/evaluation_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/conclusions_text.h"
#include "report/text_plot.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::report {
namespace {

using sweep::NetworkEvaluation;
using sweep::SweepEvaluation;

std::string mhz_text(const std::optional<double>& clock) {
  return clock ? fmt::format("{:.0f}", *clock) : "-";
}
std::string mhz_text(const std::optional<sweep::ClockOptimum>& optimum) {
  return mhz_text(optimum ? std::optional(optimum->clock.si() / kMega) : std::nullopt);
}
// "930 [860,1005]"
std::string mhz_range_text(const std::optional<sweep::ClockOptimum>& optimum) {
  if (!optimum || !optimum->interval) return mhz_text(optimum);
  return fmt::format("{} [{:.0f},{:.0f}]", mhz_text(optimum), optimum->interval->low.si() / kMega,
                     optimum->interval->high.si() / kMega);
}
std::string percent_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", 100 * *share) : "-";
}
std::string number_text(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

// "0.93 [0.91,0.95]"
std::string correlation_cell(const std::optional<sweep::Correlation>& r) {
  if (!r) return "-";
  const sweep::Coefficient& pearson = r->pearson;
  if (!pearson.low || !pearson.high) return fmt::format("{:.2f}", pearson.estimate);
  return fmt::format("{:.2f} [{:.2f},{:.2f}]", pearson.estimate, *pearson.low, *pearson.high);
}

std::string knee_text(const std::optional<sweep::Knee>& knee) {
  return knee ? fmt::format("{:.0f} [{:.0f},{:.0f}]", knee->at, knee->low, knee->high) : "-";
}

// "NVIDIA V100S, batch 1, steady\n31 networks at up to 196 clocks from 135 to 1597 MHz"
std::string heading_text(const SweepEvaluation& evaluation) {
  const auto& networks = evaluation.networks;
  const auto common = [&](auto part) {
    return std::all_of(networks.begin(), networks.end(), [&](const NetworkEvaluation& one) {
      return one.measured.*part == networks.front().measured.*part;
    });
  };
  const sweep::NetworkPoints& first = networks.front().measured;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (common(&sweep::NetworkPoints::device) && !first.device.empty()) add(printable(first.device));
  if (common(&sweep::NetworkPoints::batch) && first.batch > 0) add(fmt::format("batch {}", first.batch));
  if (common(&sweep::NetworkPoints::scenario) && !first.scenario.empty()) add(printable(first.scenario));
  std::size_t clocks = 0;
  Hertz low = first.points.front().clock, high = first.points.back().clock;
  for (const NetworkEvaluation& one : networks) {
    clocks = std::max(clocks, one.measured.points.size());
    low = std::min(low, one.measured.points.front().clock);
    high = std::max(high, one.measured.points.back().clock);
  }
  return fmt::format("{}{}{} at up to {} from {:.0f} to {:.0f} MHz\n\n", text, text.empty() ? "" : "\n",
                     counted(networks.size(), "network"), counted(clocks, "clock"), low.si() / kMega,
                     high.si() / kMega);
}

// Whether time follows the clock in some networks only: their medians are shown in a separate row.
bool some_follow(const SweepEvaluation& evaluation) {
  const std::int64_t some = evaluation.time_bound_medians.networks;
  return some > 0 && some < evaluation.medians.networks;
}

std::string networks_table(const SweepEvaluation& evaluation, const TableStyle& style) {
  TextTable table({{"network"},
                   {"cv time", Align::right, 5},
                   {"cv power", Align::right, 5},
                   {"r power", Align::left, 3},
                   {"r time", Align::left, 3},
                   {"slowdown", Align::right, 1},
                   {"knee (MHz)", Align::left, 2},
                   {"min energy (MHz)"},
                   {"min EDP (MHz)", Align::right, 4},
                   {"energy saved", Align::right},
                   {"time cost", Align::right}});
  constexpr std::size_t kName = 90;  // fits a product name and UUID, if several devices are compared
  for (const NetworkEvaluation& network : evaluation.networks) {
    table.row({printable(network.title, kName), number_text(network.cv_time_max, 2),
               number_text(network.cv_power_max, 2), correlation_cell(network.r_power_clock),
               correlation_cell(network.r_time_clock), number_text(network.relative_time_max, 2),
               knee_text(network.knee), mhz_range_text(network.energy), mhz_text(network.energy_delay),
               percent_text(network.energy_saving), percent_text(network.time_cost)});
  }
  const auto add = [&](const char* name, const sweep::Medians& medians) {
    table.row({name, "", "", number_text(medians.r_power_clock, 2), number_text(medians.r_time_clock, 2),
               number_text(medians.relative_time_max, 2), mhz_text(medians.knee_mhz),
               mhz_text(medians.best_energy_clock_mhz), mhz_text(medians.best_edp_clock_mhz),
               percent_text(medians.energy_saving), percent_text(medians.time_cost)});
  };
  if (evaluation.medians.networks > 1) add("median", evaluation.medians);
  if (some_follow(evaluation)) add("median, clock-bound", evaluation.time_bound_medians);
  return table.text(style);
}

// Notes that several networks share are printed once.
std::string notes_text(const SweepEvaluation& evaluation) {
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (const NetworkEvaluation& network : evaluation.networks) {
    for (const std::string& note : network.notes) {
      auto known = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == note; });
      if (known == notes.end()) known = notes.insert(notes.end(), {note, {}});
      known->second.push_back(printable(network.title));
    }
  }
  std::string text;
  for (const auto& [note, networks] : notes) {
    constexpr std::size_t kNamed = 4;
    std::string names = networks.front();
    for (std::size_t i = 1; i < std::min(networks.size(), kNamed); ++i) names += ", " + networks[i];
    if (networks.size() > kNamed) names += fmt::format(" and {} more", networks.size() - kNamed);
    if (networks.size() == evaluation.networks.size() && networks.size() > 1) names = "all networks";
    text += wrapped(fmt::format("{}: {}", names, note), 0) + "\n";
  }
  for (const std::string& note : evaluation.variance.notes) text += wrapped("variance: " + note, 0) + "\n";
  return text;
}

struct PlotData {
  std::string title;
  std::vector<double> clock_mhz, values;
  const std::vector<sweep::TrendPoint>& trend;
};

std::string plot_text(const PlotData& data) {
  std::vector<statistics::LoessPoint> curve;
  for (const sweep::TrendPoint& point : data.trend)
    curve.push_back({point.clock_mhz, point.fit, 0, point.low, point.high});
  PlotOptions options;
  options.x_title = "MHz";
  options.y_title = data.title;
  return scatter_plot(data.clock_mhz, data.values, curve, options);
}

// Number of evaluated and excluded runs.
std::string runs_text(const SweepEvaluation& evaluation) {
  std::int64_t excluded = 0;
  std::string reasons;
  for (const auto& [reason, count] : evaluation.excluded) {
    excluded += count;
    reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", printable(reason), count);
  }
  std::string text = fmt::format("{} evaluated", counted(static_cast<std::uint64_t>(evaluation.runs), "run"));
  if (excluded > 0) text += fmt::format(", {} excluded: {}", excluded, reasons);
  text += "\n";
  if (evaluation.all_simulated) {
    text += "All runs are simulated.\n";
  } else if (evaluation.simulated) {
    text += "Some runs are simulated.\n";
  }
  return text;
}

}  // namespace

std::string evaluation_text(const SweepEvaluation& evaluation, const TableStyle& style) {
  if (evaluation.networks.empty()) return "No valid run.\n" + runs_text(evaluation);
  std::string text = heading_text(evaluation) + networks_table(evaluation, style);
  const bool ranges =
      std::any_of(evaluation.networks.begin(), evaluation.networks.end(),
                  [](const NetworkEvaluation& one) { return one.energy && one.energy->interval; });
  text += fmt::format(
      "\npower: {} of a run. cv: maximum coefficient of variation of repetitions.\n"
      "r power, r time: correlation with the clock, with 95 % interval.\n"
      "slowdown: time at the slowest clock over time at the fastest.\n"
      "min energy, min EDP (energy x time): clocks of the minimum.{}\n"
      "energy saved, time cost: at the clock of minimum energy, compared with the highest.\n",
      evaluation.power == sweep::PowerKind::maximum ? "maximum" : "mean",
      ranges ? "\n[low,high]: clocks that do not differ significantly from it." : "");
  if (some_follow(evaluation)) {
    text += fmt::format("clock-bound: {} of {} networks (rank correlation of time and clock {} or less)\n",
                        evaluation.time_bound_medians.networks, evaluation.medians.networks,
                        -sweep::kStrongCorrelation);
  }
  text += conclusions_text(evaluation);
  if (const std::string notes = notes_text(evaluation); !notes.empty()) text += "\n" + notes;
  return text + "\n" + runs_text(evaluation);
}

std::string evaluation_points_text(const SweepEvaluation& evaluation, const TableStyle& style) {
  TextTable table({{"network"},
                   {"clock (MHz)", Align::right},
                   {"runs", Align::right, 2},
                   {"time", Align::right},
                   {"time +-", Align::right, 4},
                   {"time cv", Align::right, 3},
                   {"relative time", Align::right, 1},
                   {"power", Align::right},
                   {"power +-", Align::right, 4},
                   {"power cv", Align::right, 3},
                   {"energy", Align::right}});
  const auto or_dash = [](const auto& value) { return value ? to_text(*value) : std::string("-"); };
  for (const NetworkEvaluation& network : evaluation.networks) {
    for (const sweep::ClockPoint& point : network.measured.points) {
      const auto& power = point.power;
      table.row({printable(network.title), fmt::format("{:.0f}", point.clock.si() / kMega),
                 std::to_string(point.runs()), to_text(point.time.mean), or_dash(point.time.deviation),
                 number_text(point.time.cv, 3), number_text(point.relative_time, 3),
                 power ? to_text(power->mean) : "-", power ? or_dash(power->deviation) : "-",
                 power ? number_text(power->cv, 3) : "-", point.energy ? to_text(point.energy->mean) : "-"});
    }
  }
  return table.text(style);
}

Result<std::string> evaluation_plot(const SweepEvaluation& evaluation, std::string_view network) {
  std::vector<const NetworkEvaluation*> found;
  std::vector<std::string> titles;
  for (const NetworkEvaluation& one : evaluation.networks) {
    titles.push_back(one.title);
    if (one.title == network) found = {&one};
    if (one.title == network) break;
    if (one.measured.network == network) found.push_back(&one);
  }
  if (found.empty()) {
    return fail(Errc::unknown_name, "--plot: no network \"{}\"{}", printable(network),
                suggestion(network, titles));
  }
  if (found.size() > 1) {
    return fail(Errc::invalid_input, "--plot: {} networks match \"{}\"; use a full title, for example \"{}\"",
                found.size(), printable(network), printable(found.front()->title, 200));
  }
  const NetworkEvaluation& one = *found.front();
  PlotData power{fmt::format("{}: {} power [W]", printable(one.title), name_of(evaluation.power)),
                 {},
                 {},
                 one.power_trend};
  PlotData time{fmt::format("{}: time [s]", printable(one.title)), {}, {}, one.time_trend};
  for (const sweep::ClockPoint& point : one.measured.points) {
    time.clock_mhz.push_back(point.clock.si() / kMega);
    time.values.push_back(point.time.mean.si());
    if (!point.power) continue;
    power.clock_mhz.push_back(point.clock.si() / kMega);
    power.values.push_back(point.power->mean.si());
  }
  std::string text;
  if (!power.values.empty()) text = plot_text(power) + "\n";
  return text + plot_text(time);
}

}  // namespace ergon::report
