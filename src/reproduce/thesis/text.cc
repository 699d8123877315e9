#include "reproduce/thesis/text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"
#include "base/units_text.h"
#include "profile/run_condition.h"
#include "report/score_text.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::reproduce {
namespace {

using report::Align;

std::string mhz_text(Hertz clock) { return fmt::format("{:.0f}", clock.si() / 1e6); }

std::string median_mhz(const std::vector<ClockSeries>& series, Hertz ClockSeries::*best) {
  std::vector<double> clocks;
  for (const ClockSeries& each : series) clocks.push_back((each.*best).si());
  return mhz_text(Hertz{statistics::median(clocks).value_or(0)});
}

// Tables 5.1 to 5.4 compared with ours, and the configurations for which the thesis has no table.
std::string operations_text(const OperationStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"operations"},
                           {"rows", Align::right, 1},
                           {"R2 of"},
                           {"CV: RF", Align::right, 2},
                           {"XGB", Align::right},
                           {"here", Align::right},
                           {"MAPE", Align::right},
                           {"| held-out: RF", Align::right, 2},
                           {"XGB", Align::right},
                           {"here", Align::right}});
  const auto printed_for = [](const OperationScore& score) -> const PrintedTable* {
    for (const PrintedTable& each : printed_tables()) {
      if (each.device == score.device && each.kind == score.kind) return &each;
    }
    return nullptr;
  };
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  for (const OperationScore& score : study.cross_validated) {
    const OperationScore* once = find(study.held_out, score.device, score.kind);
    if (once == nullptr) continue;
    const PrintedTable* printed = printed_for(score);
    const auto add = [&](const char* what, const predict::Score& folds, const predict::Score& held_out,
                         const PrintedScore* thesis_folds, const PrintedScore* thesis_held_out) {
      const auto cell = [&](const PrintedScore* thesis, double PrintedScore::*learner) {
        return thesis == nullptr ? std::string() : number(thesis->*learner);
      };
      table.row({fmt::format("{}, {}, {}", score.device, profile::name_of(score.kind.mode),
                             device::name_of(score.kind.precision)),
                 std::to_string(folds.rows), what, cell(thesis_folds, &PrintedScore::random_forest),
                 cell(thesis_folds, &PrintedScore::xgboost), number(folds.r_squared.value_or(0)),
                 fmt::format("{:.1f} %", 100 * folds.mape),
                 cell(thesis_held_out, &PrintedScore::random_forest),
                 cell(thesis_held_out, &PrintedScore::xgboost), number(held_out.r_squared.value_or(0))});
    };
    add("time", score.time, once->time, printed ? &printed->time_folds : nullptr,
        printed ? &printed->time_held_out : nullptr);
    add("power", score.power, once->power, printed ? &printed->power_folds : nullptr,
        printed ? &printed->power_held_out : nullptr);
  }
  return fmt::format(
      "{}\n\n{}\n",
      report::wrapped(
          fmt::format("Measured operations: cross-validation (CV) with {} folds, and a fifth of the "
                      "operations held out once. RF and XGB: the learners of the thesis.",
                      study.folds),
          0),
      table.text(style));
}

// Best clocks and energy ratios of each of the 18 networks.
std::string clocks_text(const ClockStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"network and size"},
                           {"energy: inf.", Align::right},
                           {"train.", Align::right},
                           {"| EDP: inf.", Align::right},
                           {"train.", Align::right},
                           {"| train./inf.", Align::right, 2},
                           {"| 2080 Ti", Align::right, 1},
                           {"no TC", Align::right, 1}});
  for (std::size_t i = 0; i < study.inference.size(); ++i) {
    const ClockSeries &less = study.inference[i], &more = study.training[i];
    const ThreeEnergies& energies = study.energies[i];
    const auto at_900 = [](const ClockSeries& series) { return series.points.at(3).energy.value; };
    const auto against_on = [&](const std::optional<Joules>& energy) {
      return fmt::format("{:.2f} x", (*energy / *energies.tensor_cores_on).si());
    };
    table.row({less.test_case.text(), mhz_text(less.best_energy()), mhz_text(more.best_energy()),
               mhz_text(less.best_energy_delay()), mhz_text(more.best_energy_delay()),
               fmt::format("{:.1f} x", (at_900(more) / at_900(less)).si()), against_on(energies.rtx2080ti),
               against_on(energies.tensor_cores_off)});
  }
  std::string clocks;
  for (const Hertz clock : kThesisClocks) clocks += (clocks.empty() ? "" : ", ") + mhz_text(clock);
  const std::string legend = fmt::format(
      "Predictions for the 18 networks of the thesis at batch {}, inference (inf.) and training (train.). Of "
      "the "
      "clocks {} MHz, the one with the lowest energy and with the lowest energy-delay product (EDP), on an "
      "A30 "
      "with tensor cores; energy of training over inference at 900 MHz; inference energy at the default "
      "clocks "
      "of a 2080 Ti and of an A30 without tensor cores (no TC), relative to the A30 with tensor cores.",
      kThesisBatch, clocks);
  const std::string all_clocks = fmt::format(
      "Over all clocks of the A30, the median best clock for energy is {} MHz in inference and {} MHz in "
      "training, "
      "for the energy-delay product {} and {} MHz.",
      median_mhz(study.inference, &ClockSeries::best_energy_of_all),
      median_mhz(study.training, &ClockSeries::best_energy_of_all),
      median_mhz(study.inference, &ClockSeries::best_energy_delay_of_all),
      median_mhz(study.training, &ClockSeries::best_energy_delay_of_all));
  return fmt::format("{}\n\n{}\n{}\n\n", report::wrapped(legend, 0), table.text(style),
                     report::wrapped(all_clocks, 0));
}

std::string measured_text(const std::vector<calibrate::ThesisNetwork>& networks,
                          const report::TableStyle& style) {
  report::TextTable table({{"network and size"},
                           {"inference: TC", Align::right},
                           {"2080 Ti", Align::right},
                           {"no TC", Align::right},
                           {"| training: TC", Align::right},
                           {"2080 Ti", Align::right, 1},
                           {"no TC", Align::right, 1}});
  const auto cell = [](const std::optional<Joules>& energy) {
    return energy ? fmt::format("{:.3g} J", energy->si()) : std::string();
  };
  const auto trained = measured_energies(networks, graph::Mode::training);
  for (const ThreeEnergies& inference : measured_energies(networks, graph::Mode::inference)) {
    ThreeEnergies training;
    for (const ThreeEnergies& each : trained) {
      if (each.network == inference.network && each.size == inference.size) training = each;
    }
    table.row({fmt::format("{} {}", inference.network, inference.size), cell(inference.tensor_cores_on),
               cell(inference.rtx2080ti), cell(inference.tensor_cores_off), cell(training.tensor_cores_on),
               cell(training.rtx2080ti), cell(training.tensor_cores_off)});
  }
  return fmt::format(
      "Measured energy of one iteration at the default clocks: an A30 with tensor cores\n"
      "(TC), an RTX 2080 Ti, and an A30 without tensor cores (no TC).\n\n{}\n",
      table.text(style));
}

std::string summary_text(const std::vector<Claim>& claims) {
  const auto count = [&](ClaimSource source, bool held) {
    return std::count_if(claims.begin(), claims.end(), [&](const Claim& each) {
      return each.source == source && (each.verdict != Verdict::no) == held;
    });
  };
  const auto line = [&](ClaimSource source) {
    return fmt::format("{} of {}", count(source, true), count(source, true) + count(source, false));
  };
  return fmt::format("Claims that hold: measured {}, model {}, timed {}; {} not checked.\n",
                     line(ClaimSource::measured), line(ClaimSource::model), line(ClaimSource::timed),
                     count_of(claims).not_checked);
}

}  // namespace

std::string thesis_text(const ThesisStudy& study, const std::vector<Claim>& claims, bool claims_only,
                        const report::TableStyle& style) {
  std::string text =
      "On Energy Modeling of Deep Neural Network Operations\n"
      "(C. Nicolai, master thesis, Heidelberg University)\n";
  text += study.folder.empty() ? "measured tables: not found (--data DIR)\n"
                               : fmt::format("measured tables: {}\n", study.folder);
  text +=
      "The rows at six clocks are not public. Sources of verdicts: measured (rows of\n"
      "the thesis at the default clocks), model (predictions of Ergon, not measured),\n"
      "timed (on this machine).\n\n";
  if (!claims_only) {
    if (study.operations) text += operations_text(*study.operations, style);
    if (!study.networks.empty()) text += measured_text(study.networks, style);
    text += clocks_text(study.clocks, style);
    text +=
        "Whole networks held out when the A30's model was fitted (the thesis has figures\n"
        "but no numbers):\n\n" +
        report::score_text(study.clocks.held_out, style) + "\n";
  }
  return text + claims_text(claims, style) + "\n" + summary_text(claims);
}

}  // namespace ergon::reproduce
