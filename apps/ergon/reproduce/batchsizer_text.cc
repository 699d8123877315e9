#include "reproduce/batchsizer_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/text_table.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;

std::string tenths(double value) { return fmt::format("{:.1f}", value); }
std::string whole(double value) { return fmt::format("{:.0f}", value); }
double mhz(Hertz clock) { return clock.si() / 1e6; }

std::string mean_clock(const JobRun& run) {
  return run.summary.mean_clock ? whole(mhz(*run.summary.mean_clock)) : "";
}

std::string jobs_text(const BatchSizerStudy& study, const report::TableStyle& style) {
  report::TextTable table({{"job", Align::right},
                           {"network"},
                           {"data"},
                           {"cap", Align::right},
                           {"BS", Align::right},
                           {"batch", Align::right},
                           {"over", Align::right},
                           {"moves", Align::right},
                           {"DVFS", Align::right},
                           {"MHz", Align::right},
                           {"gain", Align::right},
                           {"BS+", Align::right},
                           {"joint", Align::right},
                           {"batch", Align::right},
                           {"MHz", Align::right},
                           {"best", Align::right}});
  for (const JobResult& each : study.jobs) {
    const control::Summary &batch = each.batchsizer.summary, &joint = each.joint.summary;
    table.row({std::to_string(each.job.number), std::string(each.job.abbreviation),
               std::string(each.job.input->name), whole(each.job.cap.si()), tenths(batch.throughput),
               whole(batch.mean_batch), tenths(batch.violation.si()), std::to_string(batch.changes),
               tenths(each.dvfs.summary.throughput), mean_clock(each.dvfs),
               fmt::format("{:+.1f}", 100 * each.gain()), tenths(each.plus.summary.throughput),
               tenths(joint.throughput), whole(joint.mean_batch), mean_clock(each.joint),
               tenths(each.best.best.throughput)});
  }
  Seconds over;
  for (const JobResult& each : study.jobs) over = std::max(over, each.joint.summary.violation);
  return fmt::format(
      "The 20 jobs of Table 2, {:.0f} images each, in images/s: BatchSizer (BS) with its mean batch, seconds "
      "over "
      "the\ncap and moves; DVFS at batch 16 with its mean clock; what the first gains in percent; "
      "batchsizer+; "
      "joint; the\nbest of all batches up to {} and the ten clocks. joint was over a cap for {:.1f} s at "
      "most.\n\n{}\n",
      kImages, kMostBatch, over.si(), table.text(style));
}

std::string curves_text(const BatchSizerStudy& study, const report::TableStyle& style) {
  std::vector<report::TextTable::Heading> headings{{"images/s and W at batch"}, {"data"}};
  for (const Rung& rung : study.curves.front().points) {
    if (rung.batch == 1 || rung.batch >= 8) headings.push_back({std::to_string(rung.batch), Align::right});
  }
  report::TextTable table(headings);
  for (const BatchCurve& curve : study.curves) {
    std::vector<std::string> cells{curve.network, std::string(curve.input->name)};
    for (const Rung& rung : curve.points) {
      if (rung.batch == 1 || rung.batch >= 8)
        cells.push_back(fmt::format("{:.0f} {:.0f}", rung.throughput, rung.state.spike.si()));
    }
    table.row(std::move(cells));
  }
  return fmt::format("Figure 1: throughput and the highest power in the long run, at {:.0f} MHz.\n\n{}\n",
                     mhz(batchsizer_clocks().back()), table.text(style));
}

std::string input_text() {
  return fmt::format(
      "A batch takes {:.0f} ms for a call and {:.1f} ms for each image of ImageNet ({:.1f} ms of Caltech) "
      "before the "
      "GPU\nbegins, and its spike shows through a meter that lags by {:.0f} ms ({:.0f} to {:.0f}). These "
      "were fitted "
      "to later\nmeasurements with a P40, not to the paper (docs/reproduce-batchsizer.md). joint begins with "
      "this "
      "model, with\nits time off by {:.0f} % and its power by {:.0f} %.\n\n",
      1e3 * kCall.si(), 1e3 * kImageNet.image.si(), 1e3 * kCaltech.image.si(), 1e3 * kMeterLag.si(),
      1e3 * kLeastMeterLag.si(), 1e3 * kMostMeterLag.si(), 100 * kTimeOff, 100 * kPowerOff);
}

std::string batchsizer_summary_text(const std::vector<Claim>& claims) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(claims.begin(), claims.end(),
                         [&](const Claim& claim) { return claim.verdict == verdict; });
  };
  return fmt::format("Of {} claims {} hold exactly, {} approximately, {} do not.\n", claims.size(),
                     count(Verdict::exactly), count(Verdict::approximately), count(Verdict::no));
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
          {"power_max_watts", summary.most_power.si()},
          {"violation_seconds", summary.violation.si()},
          {"longest_violation_seconds", summary.longest_violation.si()},
          {"violation_watt_seconds", summary.violation_energy.si()},
          {"decisions", summary.decisions},
          {"decisions_over", run.over},
          {"longest_decisions_over", run.longest_over},
          {"changes", summary.changes},
          {"settle_seconds", summary.settled_after.si()}};
}

Json best_json(const control::Verdict& verdict) {
  const control::Best& best = verdict.best;
  return {{"batch", best.point.batch},
          {"clock_mhz", mhz(*best.point.clock)},
          {"power_watts", best.there.power.si()},
          {"throughput_samples_per_second", best.throughput},
          {"met", verdict.met}};
}

Json rungs_json(const std::vector<Rung>& rungs) {
  Json all = Json::array();
  for (const Rung& rung : rungs) {
    all.push_back({{"batch", rung.batch},
                   {"throughput_samples_per_second", rung.throughput},
                   {"power_max_watts", rung.state.spike.si()},
                   {"power_mean_watts", rung.state.mean.si()},
                   {"prepare_seconds", rung.state.prepared.si()},
                   {"execute_seconds", rung.state.executed.si()}});
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
            {"joint_untold", run_json(each, each.joint_untold)}}},
          {"oracle", best_json(each.best)},
          {"oracle_batch_set", best_json(each.best_rung)},
          {"oracle_batch", best_json(each.best_batch)},
          {"oracle_clock", best_json(each.best_clock)},
          {"batches", rungs_json(each.rungs)}};
}

}  // namespace

std::string batchsizer_text(const BatchSizerStudy& study, const std::vector<Claim>& claims, bool claims_only,
                            const report::TableStyle& style) {
  std::string text = "BatchSizer (Nabavinejad, Reda and Ebrahimi, ASPDAC 2021), simulated: p40\n\n";
  if (!claims_only) text += input_text() + jobs_text(study, style) + curves_text(study, style);
  return text + claims_text(claims, style) + "\n" + batchsizer_summary_text(claims);
}

Json batchsizer_json(const BatchSizerStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json list = claims_json(claims);
  for (std::size_t i = 0; i < claims.size(); ++i) list[i]["id"] = claims[i].id;
  Json body = {{"simulated", true},
               {"paper",
                "Nabavinejad, Reda and Ebrahimi: BatchSizer: Power-Performance Trade-off for DNN Inference, "
                "ASPDAC 2021, doi:10.1145/3394885.3431535"},
               {"device", "p40"},
               {"claims", std::move(list)}};
  if (claims_only) return body;
  body["images"] = kImages;
  body["seed"] = kBatchSizerSeed;
  body["input"] = {{"call_seconds", kCall.si()},
                   {"imagenet_image_seconds", kImageNet.image.si()},
                   {"caltech_image_seconds", kCaltech.image.si()},
                   {"meter_lag_seconds", {kMeterLag.si(), kLeastMeterLag.si(), kMostMeterLag.si()}}};
  body["joint_model_off"] = {{"time", kTimeOff}, {"power", kPowerOff}};
  Json jobs = Json::array();
  for (const JobResult& each : study.jobs) jobs.push_back(job_json(each));
  body["jobs"] = std::move(jobs);
  for (const auto& [name, results] : {std::pair{"gains_at_least_lag", &study.jobs_at_least_lag},
                                      {"gains_at_most_lag", &study.jobs_at_most_lag}}) {
    body[name] = Json::array();
    for (const JobResult& each : *results) body[name].push_back(each.gain());
  }
  Json curves = Json::array();
  for (const BatchCurve& curve : study.curves) {
    curves.push_back(
        {{"network", curve.network}, {"dataset", curve.input->name}, {"batches", rungs_json(curve.points)}});
  }
  body["figure_1"] = std::move(curves);
  body["search"] = {{"cases_with_band", study.search.with_band},
                    {"most_changes", study.search.most_changes},
                    {"cases_without_band", study.search.without_band},
                    {"restless", study.search.restless}};
  return body;
}

}  // namespace ergon::app
