// Power capping on a GPU of this machine by batch alone; does not change the device.
//   bench_cap_gpu [--joint] OUT SECONDS NETWORK[:PRECISION]...
// For every network: power and throughput of fixed batches; then three caps within that power, from 200 to
// 600 W, held by `joint` for SECONDS and, without --joint, by `batchsizer+` and the published `batchsizer`
// for half of that; then fixed batches near the cap in finer steps. Fixed batches that OUT already has are
// not measured again. Appends to OUT/fixed.csv, runs.csv and decisions.csv.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "base/text.h"
#include "cap/cap_target.h"
#include "control/controllers/choice.h"
#include "control/plants/device_plant.h"
#include "control/summary.h"

namespace {

using namespace ergon;
using control::Point;

constexpr Watts kMinCap{200}, kMaxCap{600};

struct Fixed {
  double throughput = 0;
  Watts mean, max;
};
using FixedBatches = std::map<std::int64_t, Fixed>;

// Computing time of a controller.
class TimedController final : public control::Controller {
 public:
  TimedController(std::unique_ptr<control::Controller> inner, Clock& clock)
      : inner_(std::move(inner)), clock_(clock) {}
  std::string_view name() const override { return inner_->name(); }
  control::Action first(Watts cap) override { return inner_->first(cap); }
  control::Action step(const control::Feedback& feedback) override {
    const Instant began = clock_.now();
    control::Action action = inner_->step(feedback);
    const Seconds took = clock_.now() - began;
    all_ += took;
    longest_ = std::max(longest_, took);
    ++steps_;
    return action;
  }
  DecisionInterval decision_interval() const override { return inner_->decision_interval(); }
  double mean_us() const { return steps_ == 0 ? 0 : all_.si() / steps_ * 1e6; }
  double longest_us() const { return longest_.si() * 1e6; }

 private:
  std::unique_ptr<control::Controller> inner_;
  Clock& clock_;
  Seconds all_, longest_;
  int steps_ = 0;
};

class Report {
 public:
  Report(const std::string& folder, std::string network, std::string precision)
      : network_(std::move(network)), precision_(std::move(precision)) {
    open(fixed_, folder + "/fixed.csv",
         "network,precision,batch,throughput_samples_per_second,mean_power_watts,most_power_watts");
    open(runs_, folder + "/runs.csv",
         "network,precision,cap_watts,controller,seconds,throughput_samples_per_second,"
         "settled_throughput_samples_per_second,mean_power_watts,most_power_watts,violation_seconds,"
         "longest_violation_seconds,violation_watt_seconds,violation_once_settled_seconds,settle_seconds,"
         "settle_decisions,decisions,changes,mean_batch,last_batch,latency_p99_seconds,best_fixed_batch,"
         "best_fixed_throughput,share_of_best_fixed,best_below_batch,best_below_throughput,"
         "share_of_best_below,decision_us,longest_decision_us,memory_growth_bytes");
    open(decisions_, folder + "/decisions.csv",
         "network,precision,cap_watts,controller,time_seconds,batch,power_watts,mean_power_watts,"
         "throughput_samples_per_second,next_batch,reason");
  }

  void add(std::int64_t batch, const Fixed& fixed) {
    fmt::print(fixed_, "{},{},{},{:.6g},{:.5g},{:.5g}\n", network_, precision_, batch, fixed.throughput,
               fixed.mean.si(), fixed.max.si());
  }
  void add(const control::CapRun& run, Watts cap) {
    for (const control::Decision& each : run.decisions) {
      fmt::print(decisions_, "{},{},{:.0f},{},{:.4f},{},{:.5g},{:.5g},{:.6g},{},\"{}\"\n", network_,
                 precision_, cap.si(), run.controller, each.feedback.at.si(), each.feedback.point.batch,
                 each.feedback.power.value_or(Watts{0}).si(),
                 each.feedback.mean_power.value_or(Watts{0}).si(), each.feedback.throughput(),
                 each.next.point.batch, each.next.reason);
    }
  }
  void add_line(const std::string& line) { fmt::print(runs_, "{},{},{}\n", network_, precision_, line); }
  void flush() {
    for (auto* file : {&fixed_, &runs_, &decisions_}) file->flush();
  }

 private:
  static void open(std::ofstream& file, const std::string& path, const char* header) {
    const bool is_new = !std::ifstream(path).good();
    file.open(path, std::ios::app);
    if (is_new) file << header << "\n";
  }

  std::string network_, precision_;
  std::ofstream fixed_, runs_, decisions_;
};

Result<Fixed> measure(control::Plant& plant, std::int64_t batch, double updates) {
  // Wait until the previous load is over and the temperature is steady.
  if (auto warm = plant.run({batch, {}}, {3, 10}); !warm) return warm.error();
  const auto feedback = plant.run({batch, {}}, {5, updates});
  if (!feedback) return feedback.error();
  if (!feedback->power) return fail(Errc::io, "no power reading at batch {}", batch);
  return Fixed{feedback->throughput(), *feedback->mean_power, *feedback->power};
}

// The best fixed batch within the cap, by mean power or by all readings.
struct Best {
  std::int64_t batch = 0;
  double throughput = 0;

  double share(double reached) const { return throughput > 0 ? reached / throughput : 0; }
};

Best best_of(const FixedBatches& all, Watts cap, Watts Fixed::*power) {
  Best best;
  for (const auto& [batch, each] : all) {
    if (each.*power <= cap && each.throughput > best.throughput) best = {batch, each.throughput};
  }
  return best;
}

// Interpolates between the last batch within the cap and the first above it.
std::vector<std::int64_t> around(const FixedBatches& all, Watts cap) {
  for (auto below = all.begin(); below != all.end() && std::next(below) != all.end(); ++below) {
    const auto above = std::next(below);
    if (below->second.mean > cap || above->second.mean <= cap) continue;
    const double share = ((cap - below->second.mean) / (above->second.mean - below->second.mean)).si();
    const auto gap = static_cast<double>(above->first - below->first);
    const auto guess = below->first + static_cast<std::int64_t>(share * gap);
    const auto step = std::max<std::int64_t>(1, (above->first - below->first) / 8);
    return {guess - step, guess, guess + step};
  }
  return {};
}

// Earlier measurements on the same board.
bool read_fixed(const std::string& folder, const app::CapSettings& settings, FixedBatches& fixed) {
  std::ifstream file(folder + "/fixed.csv");
  for (std::string line; std::getline(file, line);) {
    const auto cells = split(line, ',');
    if (cells.size() != 6 || cells[0] != settings.network.where || cells[1] != name_of(settings.precision))
      continue;
    fixed[*parse_int64(cells[2])] = {*parse_double(cells[3]), Watts{*parse_double(cells[4])},
                                     Watts{*parse_double(cells[5])}};
  }
  return !fixed.empty();
}

std::vector<Watts> caps_within(const FixedBatches& all) {
  Watts lowest{1e9}, highest{0};
  for (const auto& [batch, each] : all) {
    lowest = std::min(lowest, each.mean);
    highest = std::max(highest, each.mean);
  }
  lowest = std::max(lowest, kMinCap);
  highest = std::min(highest, kMaxCap);
  std::vector<Watts> caps;
  for (const double share : {0.2, 0.5, 0.8})
    caps.push_back(Watts{std::round((lowest + (highest - lowest) * share).si() / 5) * 5});
  return caps;
}

struct CapResult {
  control::CapRun run;
  control::Summary summary;
  double mean_us = 0, longest_us = 0, memory_growth = 0;
};

Result<CapResult> hold(control::Target& target, device::Device* gpu, control::ControllerKind controller,
                       Watts cap, Seconds time, Clock& clock) {
  auto made = control::make_controller({controller, {}, target.prior, target.max_power}, *target.plant);
  if (!made) return made.error();
  TimedController timed(std::move(*made), clock);
  auto caps = control::constant_cap(cap);
  // Wait until the previous load no longer affects readings.
  if (auto quiet = target.plant->run({target.plant->knobs().batches.front(), {}}, {3, 20}); !quiet)
    return quiet.error();
  const auto before = gpu->memory();
  auto run = control::run(*target.plant, timed, *caps, {.duration = time});
  if (!run) return run.error();
  const auto after = gpu->memory();
  CapResult held{std::move(*run), {}, timed.mean_us(), timed.longest_us(), 0};
  held.summary = control::summary_of(held.run);
  if (before && after) held.memory_growth = (after->used - before->used).si();
  return held;
}

std::string line_of(const CapResult& held, Watts cap, const Best& mean, const Best& below) {
  const control::Summary& all = held.summary;
  const double reached = all.settled_throughput;
  return fmt::format(
      "{:.0f},{},{:.2f},{:.6g},{:.6g},{:.5g},{:.5g},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{},{},{},{:.2f},{},{:."
      "4g},"
      "{},{:.6g},{:.4f},{},{:.6g},{:.4f},{:.1f},{:.1f},{:.0f}",
      cap.si(), held.run.controller, all.lasted.si(), all.throughput, reached, all.mean_power.si(),
      all.max_power.si(), all.violation.si(), all.longest_violation.si(), all.violation_energy.si(),
      all.violation_after_settling.si(), all.settled_after.si(), all.settled_decisions, all.decisions,
      all.changes, all.mean_batch, held.run.decisions.back().feedback.point.batch,
      all.latency.value_or(Seconds{0}).si(), mean.batch, mean.throughput, mean.share(reached), below.batch,
      below.throughput, below.share(reached), held.mean_us, held.longest_us, held.memory_growth);
}

struct BenchOptions {
  std::string folder;
  Seconds time;
  bool only_joint = false;
};

Result<> bench(const BenchOptions& options, const std::string& what, app::Shell& shell) {
  const auto& [folder, time, only_joint] = options;
  const auto colon = what.find(':');
  app::CapSettings settings;
  settings.network.where = what.substr(0, colon);
  if (colon != std::string::npos) {
    const auto precision = device::precision_named(what.substr(colon + 1));
    if (!precision) return fail(Errc::invalid_input, "unknown precision \"{}\"", what.substr(colon + 1));
    settings.precision = *precision;
  }
  settings.device.name = "gpu0";
  auto opened = app::open_target(settings, shell);
  if (!opened) return opened.error();
  control::Target& target = opened->target;
  fmt::print("\n{}\n", target.description);
  Report report(folder, settings.network.where, std::string(name_of(settings.precision)));

  FixedBatches fixed;
  const auto measure_batch = [&](std::int64_t batch, double updates) -> Result<> {
    const auto& batches = target.plant->knobs().batches;
    if (fixed.contains(batch) || !std::ranges::binary_search(batches, batch)) return {};
    auto measured = measure(*target.plant, batch, updates);
    if (!measured) return measured.error();
    fixed[batch] = *measured;
    report.add(batch, *measured);
    return {};
  };
  constexpr double kUpdates = 30, kFinerUpdates = 60;
  const bool again = read_fixed(folder, settings, fixed);
  for (const std::int64_t batch : {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}) {
    if (again) break;
    if (auto measured = measure_batch(batch, kUpdates); !measured) return measured;
  }
  const auto caps = caps_within(fixed);
  std::vector<std::pair<Watts, CapResult>> all;
  for (const Watts cap : caps) {
    for (const auto& [kind, lasting] : {std::pair{control::ControllerKind::joint, time},
                                        std::pair{control::ControllerKind::batchsizer_plus, time / 2},
                                        std::pair{control::ControllerKind::batchsizer, time / 2}}) {
      if (only_joint && kind != control::ControllerKind::joint) continue;
      auto held = hold(target, opened->gpu, kind, cap, lasting, shell.clock());
      if (!held) return held.error();
      report.add(held->run, cap);
      all.emplace_back(cap, std::move(*held));
    }
    for (const std::int64_t batch : around(fixed, cap)) {
      if (auto measured = measure_batch(batch, kFinerUpdates); !measured) return measured;
    }
    for (const std::int64_t batch : around(fixed, cap)) {
      if (auto measured = measure_batch(batch, kFinerUpdates); !measured) return measured;
    }
  }
  fmt::print("{:>7} {:<12} {:>9} {:>7} {:>7} {:>7} {:>6} {:>8} {:>8} {:>9} {:>5} {:>6}\n", "cap (W)",
             "controller", "samples/s", "of best", "of max", "mean W", "max W", "above s", "longest",
             "settled s", "chan.", "us");
  for (const auto& [cap, held] : all) {
    const Best mean = best_of(fixed, cap, &Fixed::mean), below = best_of(fixed, cap, &Fixed::max);
    report.add_line(line_of(held, cap, mean, below));
    const control::Summary& sum = held.summary;
    const double reached = sum.settled_throughput;
    fmt::print(
        "{:>7.0f} {:<12} {:>9.1f} {:>6.1f}% {:>6.1f}% {:>7.1f} {:>6.0f} {:>8.2f} {:>8.2f} {:>9.2f} {:>5} "
        "{:>6.1f}\n",
        cap.si(), held.run.controller, reached, 100 * mean.share(reached), 100 * below.share(reached),
        sum.mean_power.si(), sum.max_power.si(), sum.violation.si(), sum.longest_violation.si(),
        sum.settled_after.si(), sum.changes, held.mean_us);
  }
  report.flush();
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  BenchOptions options;
  options.only_joint = !words.empty() && words.front() == "--joint";
  if (options.only_joint) words.erase(words.begin());
  const auto seconds = words.size() > 2 ? parse_double(words[1]) : std::nullopt;
  if (!seconds || *seconds <= 0) {
    fmt::print(stderr, "usage: bench_cap_gpu [--joint] OUT SECONDS NETWORK[:PRECISION]...\n");
    return kExitUsage;
  }
  options.folder = words[0];
  options.time = Seconds{*seconds};
  SystemClock clock;
  app::StandardStreams streams;
  app::Shell shell({argv, argv + argc}, clock, {}, streams);
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (const auto done = bench(options, words[i], shell); !done) {
      fmt::print(stderr, "{}: {}\n", words[i], done.error().message);
      return kExitFailed;
    }
  }
  return kExitDone;
}
