#include "reproduce/batchsizer/study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "control/controllers/batchsizer.h"
#include "control/controllers/choice.h"
#include "control/controllers/pseudo_binary_search.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"

namespace ergon::reproduce {
namespace {

constexpr const char* kBatchSizerDevice = "p40";
constexpr double kAlpha = control::BatchSizer::kAlpha;

control::Knobs all_knobs() {
  std::vector<std::int64_t> batches(kMaxBatch);
  std::iota(batches.begin(), batches.end(), 1);
  return {std::move(batches), batchsizer_clocks()};
}

Result<TwinNetwork> placed(std::string_view name, const device::Specification& gpu) {
  const auto entry = graph::zoo::find(name);
  if (!entry) return entry.error();
  auto network = graph::zoo::build(**entry);
  if (!network) return network.error();
  return TwinNetwork(std::move(*network), gpu);
}

// A prior model with wrong scales: time is off by one random factor, power above idle by another.
class BiasedSurface final : public control::Surface {
 public:
  BiasedSurface(control::GridSurface truth, Watts idle, Random& random)
      : truth_(std::move(truth)),
        idle_(idle),
        time_(factor(random, kTimeError)),
        power_(factor(random, kPowerError)) {}

  control::Expectation at(const control::Point& point) const override {
    const control::Expectation there = truth_.at(point);
    return {there.time * time_, idle_ + (there.power - idle_) * power_, there.gpu * time_,
            there.host * time_};
  }

 private:
  // Log-uniform; `deviation`: standard deviation of the logarithm.
  static double factor(Random& random, double deviation) {
    return std::exp(deviation * std::sqrt(3.0) * (2 * random.uniform() - 1));
  }
  control::GridSurface truth_;
  Watts idle_;
  double time_, power_;
};

Result<BatchPoint> batch_point_at(TwinNetwork& network, const InputPipeline& input, Seconds lag,
                                  std::int64_t batch) {
  const auto state = input_bound_state(network, input, lag, {batch, network.gpu().core.max});
  if (!state) return state.error();
  return BatchPoint{batch, *state, static_cast<double>(batch) / state->time().si()};
}

JobRun job_run(const control::CapRun& run) {
  JobRun result{run.controller, control::summary_of(run), 0, 0, {}, 0};
  std::size_t in_a_row = 0;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const control::Feedback& feedback = run.decisions[i].feedback;
    if (i > run.decisions.size() / 2 && feedback.point != run.decisions[i - 1].feedback.point)
      ++result.late_changes;
    if (!feedback.power) continue;
    if (*feedback.power > feedback.cap) {
      ++result.over;
      result.longest_over = std::max(result.longest_over, ++in_a_row);
      continue;
    }
    in_a_row = 0;
    if (!result.decisions_to_band && *feedback.power >= feedback.cap * kAlpha) result.decisions_to_band = i;
  }
  return result;
}

Result<JobRun> run_job(const BatchJob& job, TwinNetwork& network, Seconds lag,
                       const control::ControllerChoice& choice, std::uint64_t seed,
                       const std::stop_token& stop) {
  InputBoundPlant plant(network, *job.input, lag, all_knobs(), seed);
  auto controller = control::make_controller(choice, plant);
  if (!controller) return controller.error();
  const auto cap = control::constant_cap(job.cap);
  // The run ends after kImages images.
  std::stop_source finished;
  double images = 0;
  control::RunOptions options;
  options.duration = Seconds{3600};
  options.stop = finished.get_token();
  options.on_decision = [&](const control::Decision& decision) {
    images += decision.feedback.samples;
    if (images >= kImages || stop.stop_requested()) finished.request_stop();
  };
  const auto run = control::run(plant, **controller, *cap, options);
  if (!run) return run.error();
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return job_run(*run);
}

}  // namespace

bool JobResult::below_best(const JobRun& run) const { return share(run) < 1 - kNearBest; }

bool JobResult::in_band() const {
  return std::any_of(batch_points.begin(), batch_points.end(), [&](const BatchPoint& point) {
    return point.state.spike >= job.cap * kAlpha && point.state.spike <= job.cap;
  });
}

bool JobResult::relaxed() const { return batch_points.back().state.spike < job.cap * kAlpha; }

// Power is below the band up to some batch and above it from a later one on: one case per pair of batches.
SearchCount count_searches(std::size_t batches) {
  SearchCount count;
  for (std::size_t below = 0; below <= batches; ++below) {
    for (std::size_t within = 0; below + within <= batches; ++within) {
      const bool at_an_end = within == 0 && (below == 0 || below == batches);
      control::PseudoBinarySearch search(batches, kAlpha);
      std::size_t changes = 0;
      bool settled = false;
      constexpr int kSteps = 100;
      for (int i = 0; i < kSteps && !settled; ++i) {
        const std::size_t at = search.index();
        const Watts power{at < below ? 50.0 : at < below + within ? 90.0 : 120.0};
        search.step(power, Watts{100});
        settled = search.index() == at;
        if (!settled) ++changes;
      }
      if (within > 0) {
        ++count.with_band;
        count.max_changes = std::max(count.max_changes, changes);
      } else if (!at_an_end) {
        ++count.without_band;
        if (!settled) ++count.never_settles;
      }
    }
  }
  return count;
}

Result<JobResult> study_job(const BatchJob& job, TwinNetwork& network, Seconds meter_lag, std::uint64_t seed,
                            const std::stop_token& stop) {
  const control::Knobs knobs = all_knobs();
  JobResult result;
  result.job = job;
  const auto batch_set = control::powers_of_two(knobs.batches);
  for (const std::int64_t batch : batch_set) {
    const auto point = batch_point_at(network, *job.input, meter_lag, batch);
    if (!point) return point.error();
    result.batch_points.push_back(*point);
  }
  auto surface = input_bound_surface(network, *job.input, meter_lag, knobs);
  if (!surface) return surface.error();
  result.best = control::oracle(*surface, knobs, job.cap);
  result.best_batch_set = control::oracle(*surface, {batch_set, {knobs.clocks.back()}}, job.cap);
  result.best_batch = control::oracle(*surface, {knobs.batches, {knobs.clocks.back()}}, job.cap);
  result.best_clock = control::oracle(*surface, {{control::Dvfs::kBatch}, knobs.clocks}, job.cap);

  Random random(seed);
  const Watts idle = InputBoundPlant(network, *job.input, meter_lag, knobs, seed).idle_power();
  const auto prior = std::make_shared<const BiasedSurface>(std::move(*surface), idle, random);
  const Watts max_power = network.gpu().limit.max;
  struct ControllerRun {
    JobRun* run;
    control::ControllerChoice choice;
  };
  for (const auto& [run, choice] :
       {ControllerRun{&result.batchsizer, {control::ControllerKind::batchsizer, {}, {}, max_power}},
        ControllerRun{&result.dvfs, {control::ControllerKind::dvfs, {}, {}, max_power}},
        ControllerRun{&result.plus, {control::ControllerKind::batchsizer_plus, {}, {}, max_power}},
        ControllerRun{&result.joint, {control::ControllerKind::joint, {}, prior, max_power}},
        ControllerRun{&result.joint_without_prior, {control::ControllerKind::joint, {}, {}, max_power}}}) {
    auto done = run_job(job, network, meter_lag, choice, seed, stop);
    if (!done) return done.error();
    *run = std::move(*done);
  }
  return result;
}

Result<BatchSizerStudy> study_batchsizer(const std::stop_token& stop, std::uint64_t seed) {
  const auto gpu = device::find_device(kBatchSizerDevice);
  if (!gpu) return gpu.error();
  BatchSizerStudy study;
  std::map<std::string_view, TwinNetwork> networks;
  const auto network_of = [&](std::string_view name) -> Result<TwinNetwork*> {
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
    const std::uint64_t job_seed = seed + static_cast<std::uint64_t>(job.number);
    for (const auto& [lag, results] : {std::pair{kMeterLag, &study.jobs},
                                       {kMinMeterLag, &study.jobs_at_min_lag},
                                       {kMaxMeterLag, &study.jobs_at_max_lag}}) {
      auto result = study_job(job, **network, lag, job_seed, stop);
      if (!result) return result.error();
      results->push_back(std::move(*result));
    }
  }
  // Figure 1 has Inception, ResNet and MobileNet; the paper does not state the versions.
  for (const std::string_view name : {"slim/inception_v1", "slim/resnet_v2_50", "slim/mobilenet_v1"}) {
    const auto network = network_of(name);
    if (!network) return network.error();
    for (const InputPipeline* input : {&kImageNet, &kCaltech}) {
      BatchCurve& curve = study.curves.emplace_back(BatchCurve{std::string(name), input, {}});
      for (std::int64_t batch = 1; batch <= 4 * kMaxBatch; batch *= 2) {
        const auto point = batch_point_at(**network, *input, kMeterLag, batch);
        if (!point) return point.error();
        curve.points.push_back(*point);
      }
    }
  }
  study.search = count_searches(control::powers_of_two(all_knobs().batches).size());
  return study;
}

}  // namespace ergon::reproduce
