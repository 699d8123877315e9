#include "reproduce/batchsizer_study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "control/batchsizer.h"
#include "control/choice.h"
#include "control/ladder.h"
#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"

namespace ergon::app {
namespace {

constexpr const char* kBatchSizerDevice = "p40";
constexpr double kAlpha = control::BatchSizer::kAlpha;

control::Knobs all_knobs() {
  std::vector<std::int64_t> batches(kMostBatch);
  std::iota(batches.begin(), batches.end(), 1);
  return {std::move(batches), batchsizer_clocks()};
}

Result<PlacedNetwork> placed(std::string_view name, const device::Specification& gpu) {
  const auto entry = graph::zoo::find(name);
  if (!entry) return entry.error();
  auto network = graph::zoo::build(**entry);
  if (!network) return network.error();
  return PlacedNetwork(std::move(*network), gpu);
}

// What somebody believes who has the right model with numbers that are a little wrong: time by one factor,
// power above idle by another.
class MisjudgedSurface final : public control::Surface {
 public:
  MisjudgedSurface(control::GridSurface truth, Watts idle, Random& random)
      : truth_(std::move(truth)),
        idle_(idle),
        time_(factor(random, kTimeOff)),
        power_(factor(random, kPowerOff)) {}

  control::Expectation at(const control::Point& point) const override {
    const control::Expectation there = truth_.at(point);
    return {there.time * time_, idle_ + (there.power - idle_) * power_, there.gpu * time_,
            there.host * time_};
  }

 private:
  // Uniform, with this deviation of its logarithm.
  static double factor(Random& random, double deviation) {
    return std::exp(deviation * std::sqrt(3.0) * (2 * random.uniform() - 1));
  }
  control::GridSurface truth_;
  Watts idle_;
  double time_, power_;
};

Result<Rung> rung_at(PlacedNetwork& network, const InputPipeline& input, Seconds lag, std::int64_t batch) {
  const auto state = fed_state(network, input, lag, {batch, network.gpu().core.most});
  if (!state) return state.error();
  return Rung{batch, *state, static_cast<double>(batch) / state->time().si()};
}

JobRun job_run(const control::Run& run) {
  JobRun result{run.controller, control::summary_of(run), 0, 0, {}, 0};
  std::size_t in_a_row = 0;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const control::Reading& reading = run.decisions[i].reading;
    if (i > run.decisions.size() / 2 && reading.point != run.decisions[i - 1].reading.point)
      ++result.late_changes;
    if (!reading.power) continue;
    if (*reading.power > reading.cap) {
      ++result.over;
      result.longest_over = std::max(result.longest_over, ++in_a_row);
      continue;
    }
    in_a_row = 0;
    if (!result.until_in_band && *reading.power >= reading.cap * kAlpha) result.until_in_band = i;
  }
  return result;
}

Result<JobRun> hold(const BatchJob& job, PlacedNetwork& network, Seconds lag,
                    const control::ControllerChoice& choice, std::uint64_t seed,
                    const std::stop_token& stop) {
  FedPlant plant(network, *job.input, lag, all_knobs(), seed);
  auto controller = control::make_controller(choice, plant);
  if (!controller) return controller.error();
  const auto cap = control::constant_cap(job.cap);
  // Until all images are through.
  std::stop_source done;
  double images = 0;
  control::RunOptions options;
  options.duration = Seconds{3600};
  options.stop = done.get_token();
  options.watch = [&](const control::Decision& decision) {
    images += decision.reading.samples;
    if (images >= kImages || stop.stop_requested()) done.request_stop();
  };
  const auto run = control::run(plant, **controller, *cap, options);
  if (!run) return run.error();
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return job_run(*run);
}

}  // namespace

bool JobResult::off_best(const JobRun& run) const { return share(run) < 1 - kNearBest; }

bool JobResult::in_band() const {
  return std::any_of(rungs.begin(), rungs.end(), [&](const Rung& rung) {
    return rung.state.spike >= job.cap * kAlpha && rung.state.spike <= job.cap;
  });
}

bool JobResult::relaxed() const { return rungs.back().state.spike < job.cap * kAlpha; }

// Power below the band up to some batch, above it from some later one on: as many cases as there are pairs.
SearchCount count_searches(std::size_t rungs) {
  SearchCount count;
  for (std::size_t below = 0; below <= rungs; ++below) {
    for (std::size_t within = 0; below + within <= rungs; ++within) {
      const bool at_an_end = within == 0 && (below == 0 || below == rungs);
      control::Ladder ladder(rungs, kAlpha);
      std::size_t changes = 0;
      bool rests = false;
      constexpr int kSteps = 100;
      for (int i = 0; i < kSteps && !rests; ++i) {
        const std::size_t at = ladder.rung();
        const Watts power{at < below ? 50.0 : at < below + within ? 90.0 : 120.0};
        ladder.step(power, Watts{100});
        rests = ladder.rung() == at;
        if (!rests) ++changes;
      }
      if (within > 0) {
        ++count.with_band;
        count.most_changes = std::max(count.most_changes, changes);
      } else if (!at_an_end) {
        ++count.without_band;
        if (!rests) ++count.restless;
      }
    }
  }
  return count;
}

Result<JobResult> study_job(const BatchJob& job, PlacedNetwork& network, Seconds meter_lag,
                            std::uint64_t seed, const std::stop_token& stop) {
  const control::Knobs knobs = all_knobs();
  JobResult result;
  result.job = job;
  const auto rungs = control::powers_of_two(knobs.batches);
  for (const std::int64_t batch : rungs) {
    const auto rung = rung_at(network, *job.input, meter_lag, batch);
    if (!rung) return rung.error();
    result.rungs.push_back(*rung);
  }
  auto surface = fed_surface(network, *job.input, meter_lag, knobs);
  if (!surface) return surface.error();
  result.best = control::oracle(*surface, knobs, job.cap);
  result.best_rung = control::oracle(*surface, {rungs, {knobs.clocks.back()}}, job.cap);
  result.best_batch = control::oracle(*surface, {knobs.batches, {knobs.clocks.back()}}, job.cap);
  result.best_clock = control::oracle(*surface, {{control::Dvfs::kBatch}, knobs.clocks}, job.cap);

  Random random(seed);
  const Watts idle = FedPlant(network, *job.input, meter_lag, knobs, seed).idle_power();
  const auto believed = std::make_shared<const MisjudgedSurface>(std::move(*surface), idle, random);
  const Watts most = network.gpu().limit.most;
  struct Contender {
    JobRun* run;
    control::ControllerChoice choice;
  };
  for (const auto& [run, choice] : {Contender{&result.batchsizer, {"batchsizer", {}, {}, most}},
                                    Contender{&result.dvfs, {"dvfs", {}, {}, most}},
                                    Contender{&result.plus, {"batchsizer+", {}, {}, most}},
                                    Contender{&result.joint, {"joint", {}, believed, most}},
                                    Contender{&result.joint_untold, {"joint", {}, {}, most}}}) {
    auto held = hold(job, network, meter_lag, choice, seed, stop);
    if (!held) return held.error();
    *run = std::move(*held);
  }
  return result;
}

Result<BatchSizerStudy> study_batchsizer(const std::stop_token& stop, std::uint64_t seed) {
  const auto gpu = device::find_device(kBatchSizerDevice);
  if (!gpu) return gpu.error();
  BatchSizerStudy study;
  std::map<std::string_view, PlacedNetwork> networks;
  const auto network_of = [&](std::string_view name) -> Result<PlacedNetwork*> {
    auto known = networks.find(name);
    if (known == networks.end()) {
      auto made = placed(name, *gpu);
      if (!made) return made.error();
      known = networks.emplace(name, std::move(*made)).first;
    }
    return &known->second;
  };
  for (const BatchJob& job : batch_jobs()) {
    const auto network = network_of(job.network);
    if (!network) return network.error();
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(job.number);
    for (const auto& [lag, results] : {std::pair{kMeterLag, &study.jobs},
                                       {kLeastMeterLag, &study.jobs_at_least_lag},
                                       {kMostMeterLag, &study.jobs_at_most_lag}}) {
      auto result = study_job(job, **network, lag, own_seed, stop);
      if (!result) return result.error();
      results->push_back(std::move(*result));
    }
  }
  // Figure 1 has Inception, ResNet and MobileNet, without saying which.
  for (const std::string_view name : {"slim/inception_v1", "slim/resnet_v2_50", "slim/mobilenet_v1"}) {
    const auto network = network_of(name);
    if (!network) return network.error();
    for (const InputPipeline* input : {&kImageNet, &kCaltech}) {
      BatchCurve& curve = study.curves.emplace_back(BatchCurve{std::string(name), input, {}});
      for (std::int64_t batch = 1; batch <= 4 * kMostBatch; batch *= 2) {
        const auto rung = rung_at(**network, *input, kMeterLag, batch);
        if (!rung) return rung.error();
        curve.points.push_back(*rung);
      }
    }
  }
  study.search = count_searches(control::powers_of_two(all_knobs().batches).size());
  return study;
}

}  // namespace ergon::app
