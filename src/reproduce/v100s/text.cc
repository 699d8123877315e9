#include "reproduce/v100s/text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "report/conclusions_text.h"
#include "report/sweep_json.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;

const sweep::NetworkEvaluation* find(const sweep::SweepEvaluation& evaluation, const std::string& network) {
  for (const sweep::NetworkEvaluation& each : evaluation.networks) {
    if (each.measured.network == network) return &each;
  }
  return nullptr;
}

std::string number(const std::optional<sweep::Correlation>& correlation) {
  return correlation ? fmt::format("{:.2f}", correlation->pearson.estimate) : "";
}

std::string clock(const std::optional<sweep::ClockOptimum>& optimum) {
  return optimum ? fmt::format("{:.0f}", optimum->clock.si() / 1e6) : "";
}

// One execution per image and steady inference, side by side.
std::string networks_text(const V100sStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"network"},
                           {"host", Align::right, 1},
                           {"GPU", Align::right, 1},
                           {"r P-f", Align::right},
                           {"r t-f", Align::right},
                           {"slowest", Align::right, 2},
                           {"knee", Align::right},
                           {"|"},
                           {"r t-f", Align::right},
                           {"slowest", Align::right, 2},
                           {"best clock", Align::right},
                           {"saving", Align::right},
                           {"slowdown", Align::right}});
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

std::string excluded_text(const sweep::SweepEvaluation& evaluation) {
  std::string text;
  for (const auto& [reason, count] : evaluation.excluded)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text.empty() ? "none" : text;
}

std::string model_text(const sweep::ExecutionModel& model) {
  return report::wrapped(
             fmt::format(
                 "Model of an execution: {} to start the framework; {} per layer and the weights at "
                 "{:.1f} GB/s to build the network; the weights at {:.0f} GB/s to copy; every distinct "
                 "convolution {:.0f} times to find its algorithm; one prediction. The host time varies "
                 "by {:.0f} % (start) and {:.0f} % (build). None of this was measured (docs/sweep.md).",
                 to_text(model.begin), to_text(model.layer), model.reading.si() / 1e9,
                 model.copying.si() / 1e9, model.trials, 100 * model.begin_scatter,
                 100 * model.build_scatter),
             0) +
         "\n";
}

// Host time that the paper's times imply, whatever the framework does, and the effect of clocks in steady
// work.
std::string timing_text(const V100sStudy& study) {
  double min_warm = 1e9, max_warm = 0;
  for (const HostShare& share : study.shares) {
    const double ratio = (share.warm_slow / share.warm_fast).si();
    min_warm = std::min(min_warm, ratio);
    max_warm = std::max(max_warm, ratio);
  }
  const auto longest =
      std::max_element(study.shares.begin(), study.shares.end(),
                       [](const HostShare& a, const HostShare& b) { return a.min_host() < b.min_host(); });
  double min_steady = 1e9, max_steady = 0;
  for (const auto& each : study.steady.networks) {
    min_steady = std::min(min_steady, each.relative_time_max);
    max_steady = std::max(max_steady, each.relative_time_max);
  }
  const std::string paper = fmt::format(
      "Why time hardly depends on the clock in the paper: one warm prediction of one image takes {:.1f} to "
      "{:.1f} "
      "times as long at 135 MHz as at 1597 MHz. For a ratio below 1.5, the host time must have been at least "
      "{} "
      "in addition to the GPU time of {}. The paper timed mostly start-up and loading.",
      min_warm, max_warm, to_text(longest->min_host()), longest->network);
  const std::string steady = fmt::format(
      "In steady inference at batch 32, the lowest clock takes {:.1f} to {:.1f} times as long as the "
      "highest. The "
      "paper's advice to lower the clock because it costs no time holds for single images in programs that "
      "mostly load. In steady work, the median best clock for energy is {}; it saves {:.0f} % of the energy "
      "and "
      "takes {:.0f} % longer.",
      min_steady, max_steady,
      study.steady.medians.best_energy_clock_mhz
          ? fmt::format("{:.0f} MHz", *study.steady.medians.best_energy_clock_mhz)
          : "unknown",
      100 * study.steady.medians.energy_saving.value_or(0), 100 * study.steady.medians.time_cost.value_or(0));
  return report::wrapped(paper, 0) + "\n\n" + report::wrapped(steady, 0) + "\n";
}

std::string v100s_summary_text(const std::vector<Claim>& claims) {
  const auto fitted =
      std::count_if(claims.begin(), claims.end(), [](const Claim& claim) { return claim.fitted; });
  return fmt::format(
      "{} claims: {} hold. The model of an execution was fitted to {} of them, which\n"
      "therefore confirm nothing.\n",
      claims.size(), count_of(claims).hold(), fitted);
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
      "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling\n"
      "(Drechsler, Metz and Plump), simulated: v100s\n{} executions; excluded: {}\n\n",
      grouped_digits(study.execution.runs), excluded_text(study.execution));
  if (!claims_only) {
    text += model_text(study.model) + "\n";
    text +=
        "Left of the bar: one image per execution. Right: steady inference at batch 32.\n"
        "r P-f, r t-f: correlation of power and of time with the clock; slowest: time at\n"
        "the lowest clock relative to the fastest; knee and best clock for energy in MHz.\n\n" +
        networks_text(study, style);
    text += report::conclusions_text(study.execution) + "\n" + timing_text(study) + "\n";
  }
  return text + claims_text(claims, style) + "\n" + v100s_summary_text(claims);
}

Json v100s_json(const V100sStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json body = {{"simulated", true},
               {"paper",
                "Drechsler, Metz and Plump: Energy-Efficient CNN inferencing on GPUs with Dynamic "
                "Frequency Scaling"},
               {"runs", study.execution.runs},
               {"claims", claims_json(claims)}};
  if (claims_only) return body;
  body["scenario"] = model_json(study.model);
  Json shares = Json::array();
  for (const HostShare& share : study.shares) {
    shares.push_back({{"network", share.network},
                      {"host_seconds", share.host.si()},
                      {"min_host_seconds", share.min_host().si()},
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

}  // namespace ergon::reproduce
