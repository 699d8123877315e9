#include "reproduce/batchsizer/text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;

std::string tenths(double value) { return fmt::format("{:.1f}", value); }
std::string whole(double value) { return fmt::format("{:.0f}", value); }
double mhz(Hertz clock) { return clock.si() / 1e6; }

std::string mean_clock(const JobRun& run) {
  return run.summary.mean_clock ? whole(mhz(*run.summary.mean_clock)) : "";
}

std::string throughput_text(const BatchSizerStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"job", Align::right},
                           {"network"},
                           {"dataset"},
                           {"cap (W)", Align::right},
                           {"BatchSizer", Align::right},
                           {"DVFS", Align::right},
                           {"gain (%)", Align::right},
                           {"batchsizer+", Align::right, 1},
                           {"joint", Align::right},
                           {"oracle", Align::right}});
  for (const JobResult& each : study.jobs) {
    table.row({std::to_string(each.job.number), std::string(each.job.abbreviation),
               std::string(each.job.input->name), whole(each.job.cap.si()),
               tenths(each.batchsizer.summary.throughput), tenths(each.dvfs.summary.throughput),
               fmt::format("{:+.1f}", 100 * each.gain()), tenths(each.plus.summary.throughput),
               tenths(each.joint.summary.throughput), tenths(each.best.best.throughput)});
  }
  return fmt::format(
      "{}\n\n{}\n",
      report::wrapped(fmt::format("The 20 jobs of Table 2, {:.0f} images each, in images/s. gain: "
                                  "BatchSizer over DVFS. oracle: the best of all batches up to {} "
                                  "and the ten clocks.",
                                  kImages, kMaxBatch),
                      0),
      table.text(style));
}

std::string operating_points_text(const BatchSizerStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"job", Align::right},
                           {"BS batch", Align::right},
                           {"BS over (s)", Align::right},
                           {"BS changes", Align::right},
                           {"DVFS MHz", Align::right},
                           {"joint batch", Align::right},
                           {"joint MHz", Align::right}});
  Seconds over;
  for (const JobResult& each : study.jobs) {
    const control::Summary &batch = each.batchsizer.summary, &joint = each.joint.summary;
    table.row({std::to_string(each.job.number), whole(batch.mean_batch), tenths(batch.violation.si()),
               std::to_string(batch.changes), mean_clock(each.dvfs), whole(joint.mean_batch),
               mean_clock(each.joint)});
    over = std::max(over, joint.violation);
  }
  return fmt::format(
      "{}\n\n{}\n",
      report::wrapped(
          fmt::format(
              "Their operating points: mean batch and mean clock. BS is BatchSizer; over: time above the "
              "cap; changes: changes of the batch. DVFS runs at batch 16. joint was above a cap for at "
              "most {:.1f} s.",
              over.si()),
          0),
      table.text(style));
}

// Batches of Figure 1 that are shown, and the order in which narrow terminals drop them.
bool is_shown(const BatchPoint& point) { return point.batch == 1 || point.batch >= 8; }

int batch_rank(std::int64_t batch) {
  switch (batch) {
    case 8:
      return 4;
    case 32:
      return 3;
    case 128:
      return 2;
    case 1024:
      return 1;
    default:
      return 0;
  }
}

std::string curves_text(const BatchSizerStudy& study, const report::TableStyle& style) {
  std::vector<report::TextTable::Heading> headings{{"network"}, {"dataset"}};
  for (const BatchPoint& point : study.curves.front().points) {
    if (is_shown(point))
      headings.push_back({std::to_string(point.batch), Align::right, batch_rank(point.batch)});
  }
  report::TextTable table(headings);
  for (const BatchCurve& curve : study.curves) {
    std::vector<std::string> cells{curve.network, std::string(curve.input->name)};
    for (const BatchPoint& point : curve.points) {
      if (is_shown(point))
        cells.push_back(fmt::format("{:.0f} {:.0f}", point.throughput, point.state.spike.si()));
    }
    table.row(std::move(cells));
  }
  return fmt::format("{}\n\n{}\n",
                     report::wrapped(fmt::format("Figure 1: images/s and max power (W) by batch size, steady "
                                                 "state at {:.0f} MHz.",
                                                 mhz(batchsizer_clocks().back())),
                                     0),
                     table.text(style));
}

std::string input_text() {
  return report::wrapped(
             fmt::format(
                 "Before the GPU starts, a batch takes {:.0f} ms for a call and {:.1f} ms per image of "
                 "ImageNet "
                 "({:.1f} ms of Caltech). Power goes through a meter with a lag of {:.0f} ms ({:.0f} to "
                 "{:.0f}). These numbers were fitted to later measurements with a P40, not to the paper "
                 "(docs/reproduce-batchsizer.md). joint starts with this model as its prior, with errors of "
                 "{:.0f} % in time and {:.0f} % in power.",
                 1e3 * kCall.si(), 1e3 * kImageNet.image.si(), 1e3 * kCaltech.image.si(),
                 1e3 * kMeterLag.si(), 1e3 * kMinMeterLag.si(), 1e3 * kMaxMeterLag.si(), 100 * kTimeError,
                 100 * kPowerError),
             0) +
         "\n\n";
}

std::string batchsizer_summary_text(const std::vector<Claim>& claims) {
  const ClaimCounts counts = count_of(claims);
  return fmt::format("{} claims: {} hold exactly, {} approximately, {} do not.\n", counts.claims,
                     counts.exactly, counts.approximately, counts.no);
}

Json run_json(const JobResult& job, const JobRun& run) {
  const control::Summary& summary = run.summary;
  return {{"throughput_samples_per_second", summary.throughput},
          {"share_of_best", job.share(run)},
          {"images", summary.samples},
          {"duration_seconds", summary.lasted.si()},
          {"mean_batch", summary.mean_batch},
          {"mean_clock_mhz", summary.mean_clock ? Json(mhz(*summary.mean_clock)) : Json(nullptr)},
          {"power_mean_watts", summary.mean_power.si()},
          {"power_max_watts", summary.max_power.si()},
          {"violation_seconds", summary.violation.si()},
          {"longest_violation_seconds", summary.longest_violation.si()},
          {"violation_watt_seconds", summary.violation_energy.si()},
          {"decisions", summary.decisions},
          {"decisions_over", run.over},
          {"longest_decisions_over", run.longest_over},
          {"changes", summary.changes},
          {"settle_seconds", summary.settled_after.si()}};
}

Json best_json(const control::OracleResult& verdict) {
  const control::OraclePoint& best = verdict.best;
  return {{"batch", best.point.batch},
          {"clock_mhz", mhz(*best.point.clock)},
          {"power_watts", best.there.power.si()},
          {"throughput_samples_per_second", best.throughput},
          {"within_cap", verdict.within_cap}};
}

Json batch_points_json(const std::vector<BatchPoint>& points) {
  Json all = Json::array();
  for (const BatchPoint& point : points) {
    all.push_back({{"batch", point.batch},
                   {"throughput_samples_per_second", point.throughput},
                   {"power_max_watts", point.state.spike.si()},
                   {"power_mean_watts", point.state.mean.si()},
                   {"prepare_seconds", point.state.prepared.si()},
                   {"execute_seconds", point.state.executed.si()}});
  }
  return all;
}

Json job_json(const JobResult& each) {
  return {{"job", each.job.number},
          {"name", each.job.abbreviation},
          {"network", each.job.network},
          {"dataset", each.job.input->name},
          {"cap_watts", each.job.cap.si()},
          {"gain", each.gain()},
          {"controllers",
           {{"batchsizer", run_json(each, each.batchsizer)},
            {"dvfs", run_json(each, each.dvfs)},
            {"batchsizer+", run_json(each, each.plus)},
            {"joint", run_json(each, each.joint)},
            {"joint_without_prior", run_json(each, each.joint_without_prior)}}},
          {"oracle", best_json(each.best)},
          {"oracle_batch_set", best_json(each.best_batch_set)},
          {"oracle_batch", best_json(each.best_batch)},
          {"oracle_clock", best_json(each.best_clock)},
          {"batches", batch_points_json(each.batch_points)}};
}

}  // namespace

std::string batchsizer_text(const BatchSizerStudy& study, const std::vector<Claim>& claims, bool claims_only,
                            const report::TableStyle& style) {
  std::string text = "BatchSizer (Nabavinejad, Reda and Ebrahimi, ASPDAC 2021), simulated: p40\n\n";
  if (!claims_only)
    text += input_text() + throughput_text(study, style) + operating_points_text(study, style) +
            curves_text(study, style);
  return text + claims_text(claims, style) + "\n" + batchsizer_summary_text(claims);
}

Json batchsizer_json(const BatchSizerStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json body = {{"simulated", true},
               {"paper",
                "Nabavinejad, Reda and Ebrahimi: BatchSizer: Power-Performance Trade-off for DNN Inference, "
                "ASPDAC 2021, doi:10.1145/3394885.3431535"},
               {"device", "p40"},
               {"claims", claims_json(claims)}};
  if (claims_only) return body;
  body["images"] = kImages;
  body["seed"] = kBatchSizerSeed;
  body["input"] = {{"call_seconds", kCall.si()},
                   {"imagenet_image_seconds", kImageNet.image.si()},
                   {"caltech_image_seconds", kCaltech.image.si()},
                   {"meter_lag_seconds", {kMeterLag.si(), kMinMeterLag.si(), kMaxMeterLag.si()}}};
  body["joint_prior_error"] = {{"time", kTimeError}, {"power", kPowerError}};
  Json jobs = Json::array();
  for (const JobResult& each : study.jobs) jobs.push_back(job_json(each));
  body["jobs"] = std::move(jobs);
  for (const auto& [name, results] : {std::pair{"gains_at_min_lag", &study.jobs_at_min_lag},
                                      {"gains_at_max_lag", &study.jobs_at_max_lag}}) {
    body[name] = Json::array();
    for (const JobResult& each : *results) body[name].push_back(each.gain());
  }
  Json curves = Json::array();
  for (const BatchCurve& curve : study.curves) {
    curves.push_back({{"network", curve.network},
                      {"dataset", curve.input->name},
                      {"batches", batch_points_json(curve.points)}});
  }
  body["figure_1"] = std::move(curves);
  body["search"] = {{"cases_with_band", study.search.with_band},
                    {"max_changes", study.search.max_changes},
                    {"cases_without_band", study.search.without_band},
                    {"never_settles", study.search.never_settles}};
  return body;
}

}  // namespace ergon::reproduce
