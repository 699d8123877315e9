#include "reproduce/thesis_text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"
#include "base/units_text.h"
#include "predict/score_text.h"
#include "profile/condition.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

std::string mhz_text(Hertz clock) { return fmt::format("{:.0f}", clock.si() / 1e6); }

std::string median_mhz(const std::vector<ClockSeries>& series, Hertz ClockSeries::*best) {
  std::vector<double> clocks;
  for (const ClockSeries& each : series) clocks.push_back((each.*best).si());
  return mhz_text(Hertz{statistics::median(clocks).value_or(0)});
}

// Tables 5.1 to 5.4 beside ours, and the kinds of rows the thesis has no table of.
std::string operations_text(const OperationStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"operations"},
                           {"rows", Align::right},
                           {"R2 of"},
                           {"thesis: RF", Align::right},
                           {"XGB", Align::right},
                           {"here", Align::right},
                           {"off by", Align::right},
                           {"| held out: RF", Align::right},
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
      "Operations by themselves, measured: {} folds, and a fifth of the operations held out once.\n\n{}\n",
      study.folds, table.text(style));
}

// What clocks do to each of the 18.
std::string clocks_text(const ClockStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"network and size"},
                           {"energy: inference", Align::right},
                           {"training", Align::right},
                           {"| E x t: inference", Align::right},
                           {"training", Align::right},
                           {"| training", Align::right},
                           {"| 2080 Ti", Align::right},
                           {"off", Align::right}});
  for (std::size_t i = 0; i < study.inference.size(); ++i) {
    const ClockSeries &less = study.inference[i], &more = study.training[i];
    const ThreeEnergies& energies = study.energies[i];
    const auto at_900 = [](const ClockSeries& series) { return series.points.at(3).energy.value; };
    const auto against_on = [&](const std::optional<Joules>& energy) {
      return fmt::format("{:.2f} x", (*energy / *energies.tensor_cores_on).si());
    };
    table.row({less.set.text(), mhz_text(less.best_energy()), mhz_text(more.best_energy()),
               mhz_text(less.best_energy_delay()), mhz_text(more.best_energy_delay()),
               fmt::format("{:.1f} x", (at_900(more) / at_900(less)).si()), against_on(energies.rtx2080ti),
               against_on(energies.tensor_cores_off)});
  }
  std::string clocks;
  for (const Hertz clock : kThesisClocks) clocks += (clocks.empty() ? "" : ", ") + mhz_text(clock);
  return fmt::format(
      "The thesis's 18 networks at batch {}, predicted. Of the clocks {} MHz the one with the\nleast energy, "
      "and "
      "energy times time, on an A30 with tensor cores on; the energy of training over inference at 900 "
      "MHz;\nthat "
      "of inference elsewhere, at the GPUs' own clocks, over the A30's.\n\n{}\nOf all clocks the A30 has, "
      "energy "
      "is least at {} MHz in the median of inference and {} MHz of training, energy times\ntime at {} and {} "
      "MHz.\n\n",
      kThesisBatch, clocks, table.text(style), median_mhz(study.inference, &ClockSeries::best_energy_of_all),
      median_mhz(study.training, &ClockSeries::best_energy_of_all),
      median_mhz(study.inference, &ClockSeries::best_energy_delay_of_all),
      median_mhz(study.training, &ClockSeries::best_energy_delay_of_all));
}

std::string measured_text(const std::vector<calibrate::ThesisNetwork>& networks, const report::TableStyle& style) {
  report::TextTable table({{"network and size"},
                           {"inference: on", Align::right},
                           {"2080 Ti", Align::right},
                           {"off", Align::right},
                           {"| training: on", Align::right},
                           {"2080 Ti", Align::right},
                           {"off", Align::right}});
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
      "Whole networks, measured: the energy of an iteration on an A30 with tensor cores on, an RTX 2080 Ti, "
      "and "
      "an A30\nwith them off, at their own clocks.\n\n{}\n",
      table.text(style));
}

std::string judged_text(const std::vector<ThesisClaim>& claims, const report::TableStyle& style) {
  report::TextTable table(
      {{"", Align::right}, {"where"}, {"claim"}, {"thesis"}, {"here"}, {"on"}, {"holds"}});
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto& [basis, claim] = claims[i];
    const bool checked = basis != Basis::none;
    table.row({std::to_string(i + 1), claim.where, claim.claim, claim.paper, claim.ours,
               checked ? std::string(name_of(basis)) : "-",
               checked ? std::string(name_of(claim.verdict)) : "-"});
    reasons.push_back(claim.reason);
  }
  return fmt::format("{}\n{}", table.text(style), reasons_text(reasons));
}

std::string summary_text(const std::vector<ThesisClaim>& claims) {
  const auto count = [&](Basis basis, bool held) {
    return std::count_if(claims.begin(), claims.end(), [&](const ThesisClaim& each) {
      return each.basis == basis && each.fails() != held;
    });
  };
  const auto line = [&](Basis basis) {
    return fmt::format("{} of {}", count(basis, true), count(basis, true) + count(basis, false));
  };
  const auto unchecked = std::count_if(claims.begin(), claims.end(),
                                       [](const ThesisClaim& each) { return each.basis == Basis::none; });
  return fmt::format(
      "On measured rows {} claims hold, on the model {}, by the clock on the wall {}; {} not checked.\n",
      line(Basis::measured), line(Basis::model), line(Basis::timed), unchecked);
}

}  // namespace

std::string thesis_text(const ThesisStudy& study, const std::vector<ThesisClaim>& claims, bool claims_only,
                        const report::TableStyle& style) {
  std::string text =
      "On Energy Modeling of Deep Neural Network Operations (C. Nicolai, master thesis, Heidelberg "
      "University)\n";
  text += study.folder.empty() ? "measured tables: not here (--data DIR)\n"
                               : fmt::format("measured tables: {}\n", study.folder);
  text +=
      "Its rows at six clocks are not public. measured: held against its rows at the GPUs' own clocks; "
      "model: "
      "against what\nErgon predicts, which nobody measured; timed: on this machine, now.\n\n";
  if (!claims_only) {
    if (study.operations) text += operations_text(*study.operations, style);
    if (!study.networks.empty()) text += measured_text(study.networks, style);
    text += clocks_text(study.clocks, style);
    text +=
        "Whole networks that were held back when the A30's model was learned (the thesis has figures, no "
        "numbers):\n\n" +
        score_text(study.clocks.held_back, style) + "\n";
  }
  return text + judged_text(claims, style) + "\n" + summary_text(claims);
}

}  // namespace ergon::app
