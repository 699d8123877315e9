#include "reproduce/v100s_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "report/sweep_json.h"
#include "report/text_table.h"
#include "sweep/evaluation_text.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;

const sweep::NetworkEvaluation* find(const sweep::Evaluation& evaluation, const std::string& network) {
  for (const sweep::NetworkEvaluation& each : evaluation.networks) {
    if (each.measured.network == network) return &each;
  }
  return nullptr;
}

std::string number(const std::optional<sweep::Correlation>& correlation) {
  return correlation ? fmt::format("{:.2f}", correlation->pearson.estimate) : "";
}

std::string clock(const std::optional<sweep::Optimum>& optimum) {
  return optimum ? fmt::format("{:.0f}", optimum->clock.si() / 1e6) : "";
}

// Both regimes side by side.
std::string networks_text(const V100sStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"network"},
                           {"host", Align::right},
                           {"GPU", Align::right},
                           {"r P-f", Align::right},
                           {"r t-f", Align::right},
                           {"slowest", Align::right},
                           {"knee", Align::right},
                           {"|"},
                           {"r t-f", Align::right},
                           {"slowest", Align::right},
                           {"best clock", Align::right},
                           {"saves", Align::right},
                           {"takes", Align::right}});
  for (const HostShare& share : study.shares) {
    const auto* one = find(study.execution, share.network);
    const auto* many = find(study.steady, share.network);
    if (one == nullptr || many == nullptr) continue;
    const auto percent = [](const std::optional<double>& part) {
      return part ? fmt::format("{:+.0f} %", 100 * *part) : std::string();
    };
    table.row({share.network, to_text(share.host), to_text(share.gpu_fast), number(one->r_power_clock),
               number(one->r_time_clock), fmt::format("{:.2f} x", one->relative_time_max),
               one->knee ? fmt::format("{:.0f}", one->knee->at) : "", "|", number(many->r_time_clock),
               fmt::format("{:.2f} x", many->relative_time_max), clock(many->energy),
               many->energy_saving ? fmt::format("{:.0f} %", 100 * *many->energy_saving) : "",
               percent(many->time_cost)});
  }
  return table.text(style);
}

std::string left_out_text(const sweep::Evaluation& evaluation) {
  std::string text;
  for (const auto& [reason, count] : evaluation.left_out)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text.empty() ? "none" : text;
}

std::string model_text(const sweep::ExecutionModel& model) {
  return fmt::format(
      "An execution is taken to be {} to start a framework, {} for each layer and weights at {:.1f} GB/s to "
      "build the network,\nweights at {:.0f} GB/s to copy, each distinct convolution {:.0f} times to find "
      "its "
      "algorithm, and one prediction. The host's\ntime scatters by {:.0f} % and {:.0f} %. None of this was "
      "measured (docs/sweep.md).\n",
      to_text(model.begin), to_text(model.layer), model.reading.si() / 1e9, model.copying.si() / 1e9,
      model.trials, 100 * model.begin_scatter, 100 * model.build_scatter);
}

// What the times of the paper ask for, whatever a framework does.
std::string regime_text(const V100sStudy& study) {
  double flattest = 1e9, steepest = 0;
  for (const HostShare& share : study.shares) {
    const double ratio = (share.warm_slow / share.warm_fast).si();
    flattest = std::min(flattest, ratio);
    steepest = std::max(steepest, ratio);
  }
  const auto most = std::max_element(
      study.shares.begin(), study.shares.end(),
      [](const HostShare& a, const HostShare& b) { return a.least_host() < b.least_host(); });
  double least_steady = 1e9, most_steady = 0;
  for (const auto& each : study.steady.networks) {
    least_steady = std::min(least_steady, each.relative_time_max);
    most_steady = std::max(most_steady, each.relative_time_max);
  }
  return fmt::format(
      "Why the paper's times are flat: one warm prediction of one image takes {:.1f} to {:.1f} times as long "
      "at "
      "135 MHz as at 1597 MHz.\nFor the slowest clock to cost less than 1.5 times the fastest, the host must "
      "have had {} at least beside {}'s work on the\nGPU: what was timed was mostly starting and loading.\n\n"
      "In steady inference at batch 32 clocks do buy time: {:.1f} to {:.1f} times as long at the lowest "
      "clock. "
      "The paper's advice, to lower the\nclock because it costs no time, holds in its own regime, single "
      "images "
      "by programs that mostly load. In steady work\nthe clock that takes least energy is {} in the median; "
      "it "
      "saves {:.0f} % of the energy and takes {:.0f} % longer.\n",
      flattest, steepest, to_text(most->least_host()), most->network, least_steady, most_steady,
      study.steady.medians.best_energy_clock_mhz
          ? fmt::format("{:.0f} MHz", *study.steady.medians.best_energy_clock_mhz)
          : "not known",
      100 * study.steady.medians.energy_saving.value_or(0), 100 * study.steady.medians.time_cost.value_or(0));
}

std::string v100s_summary_text(const std::vector<Claim>& claims) {
  const auto count = [&](const auto& which) { return std::count_if(claims.begin(), claims.end(), which); };
  const auto held = count([](const Claim& claim) { return claim.verdict != Verdict::no; });
  const auto fitted = count([](const Claim& claim) { return claim.fitted; });
  return fmt::format(
      "Of {} claims {} hold. {} were used to choose what an execution consists of and confirm nothing.\n",
      claims.size(), held, fitted);
}

Json model_json(const sweep::ExecutionModel& model) {
  return {{"measured", false},
          {"begin_seconds", model.begin.si()},
          {"begin_scatter", model.begin_scatter},
          {"layer_seconds", model.layer.si()},
          {"reading_bytes_per_second", model.reading.si()},
          {"build_scatter", model.build_scatter},
          {"copying_bytes_per_second", model.copying.si()},
          {"trials", model.trials}};
}

}  // namespace

std::string v100s_text(const V100sStudy& study, const std::vector<Claim>& claims, bool claims_only,
                       const report::TableStyle& style) {
  std::string text = fmt::format(
      "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling (Drechsler, Metz and Plump), "
      "simulated: v100s\n{} executions; left out: {}\n\n",
      grouped_digits(study.execution.runs), left_out_text(study.execution));
  if (!claims_only) {
    text += model_text(study.model) + "\n";
    text +=
        "Left of the bar one image an execution, right of it steady inference at batch 32. Clocks in "
        "MHz.\n\n" +
        networks_text(study, style);
    text += answers_text(study.execution) + "\n" + regime_text(study) + "\n";
  }
  return text + claims_text(claims, style) + "\n" + v100s_summary_text(claims);
}

Json v100s_json(const V100sStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json list = Json::array();
  for (const Claim& claim : claims) {
    list.push_back({{"id", claim.id},
                    {"where", claim.where},
                    {"claim", claim.claim},
                    {"paper", claim.paper},
                    {"obtained", claim.ours},
                    {"holds", claim.verdict != Verdict::no},
                    {"exactly", claim.verdict == Verdict::exactly},
                    {"fitted", claim.fitted},
                    {"reason", claim.reason.empty() ? Json(nullptr) : Json(claim.reason)}});
  }
  Json body = {{"simulated", true},
               {"paper",
                "Drechsler, Metz and Plump: Energy-Efficient CNN inferencing on GPUs with Dynamic "
                "Frequency Scaling"},
               {"runs", study.execution.runs},
               {"claims", std::move(list)}};
  if (claims_only) return body;
  body["scenario"] = model_json(study.model);
  Json shares = Json::array();
  for (const HostShare& share : study.shares) {
    shares.push_back({{"network", share.network},
                      {"host_seconds", share.host.si()},
                      {"least_host_seconds", share.least_host().si()},
                      {"gpu_seconds_fastest", share.gpu_fast.si()},
                      {"gpu_seconds_slowest", share.gpu_slow.si()},
                      {"warm_seconds_fastest", share.warm_fast.si()},
                      {"warm_seconds_slowest", share.warm_slow.si()}});
  }
  body["host_shares"] = std::move(shares);
  body["execution"] = report::sweep_evaluation_json(study.execution);
  body["steady"] = report::sweep_evaluation_json(study.steady);
  return body;
}

}  // namespace ergon::app
