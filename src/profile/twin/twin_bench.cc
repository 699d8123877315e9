#include "profile/twin/twin_bench.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "base/version.h"
#include "device/twin/estimate.h"
#include "device/twin/estimate_notes.h"
#include "device/twin/kernel.h"
#include "graph/summary.h"
#include "meter/sensor_facts.h"
#include "profile/metered.h"

namespace ergon::profile {

namespace {

// Gives the inputs weights, so that training computes gradients of the inputs.
graph::Network with_input_gradients(graph::Network network) {
  for (graph::Node& node : network.nodes) {
    if (std::holds_alternative<graph::Input>(node.operation))
      node.weights = {{graph::WeightRole::other, graph::Shape{{1}}, graph::ElementType::float32, false}};
  }
  return network;
}

}  // namespace

// A load on the twin.
class TwinWork final : public PreparedWork {
 public:
  TwinWork(TwinBench& bench, std::shared_ptr<const device::Load> load)
      : bench_(bench), load_(std::move(load)) {}

  Result<TimedRun> run(std::int64_t iterations) override {
    const Seconds begin = bench_.twin_.now();
    const double target = bench_.twin_.iterations() + static_cast<double>(iterations);
    bench_.twin_.run(load_);
    // The clock may change meanwhile, so the end is approached in several steps.
    constexpr double kClose = 1e-6;
    const auto left = [&] { return target - bench_.twin_.iterations(); };
    while (left() > kClose) {
      const Seconds rest = load_->at(bench_.twin_.clock()).time * left();
      bench_.pass(std::max(rest, Seconds{2e-9}));
    }
    const TimedRun ran{iterations, bench_.twin_.now() - begin};
    bench_.twin_.stop();
    return ran;
  }

  Result<std::optional<Seconds>> host_time() override {
    return std::optional(load_->at(bench_.twin_.clock()).host);
  }
  std::int64_t instances() const override { return 1; }

 private:
  TwinBench& bench_;
  std::shared_ptr<const device::Load> load_;
};

class TwinWindow final : public EnergyWindow {
 public:
  explicit TwinWindow(TwinBench& bench) : bench_(bench), id_(bench.recorder_->open(bench.clock_.now())) {}
  ~TwinWindow() override { bench_.recorder_->forget(id_); }

  void close() override { bench_.recorder_->close(id_, bench_.clock_.now()); }
  Result<meter::Measurement> measurement(const std::stop_token&) override {
    constexpr Seconds kTimeout{15};
    const Instant timeout = bench_.clock_.now() + kTimeout;
    std::optional<meter::SpanReport> report;
    while (!(report = bench_.recorder_->report(id_, bench_.clock_.now() >= timeout))) bench_.read_once();
    return meter::measured({*report});
  }

 private:
  TwinBench& bench_;
  meter::SpanId id_;
};

TwinBench::TwinBench(const device::Specification& gpu, Timestamp epoch, std::uint64_t seed)
    : twin_(gpu, seed), clock_(twin_, epoch), device_(twin_, epoch) {
  facts_.engine = "twin";
  facts_.version = build_facts().version;
  facts_.target = gpu.name;
  facts_.device = device_.identity().name;
  facts_.uuid = device_.identity().uuid;
  facts_.cache = gpu.memory.cache;
  facts_.simulated = true;
}

Result<std::unique_ptr<TwinBench>> TwinBench::open(const device::Specification& gpu, Timestamp epoch,
                                                   std::uint64_t seed) {
  std::unique_ptr<TwinBench> bench(new TwinBench(gpu, epoch, seed));
  auto recorder = meter::Recorder::create(bench->device_, bench->clock_, {std::nullopt, true, true});
  if (!recorder) return recorder.error();
  bench->recorder_ = std::move(*recorder);
  if (const auto sensor = meter::best_sensor(bench->device_)) {
    bench->min_window_ = min_window_of(*sensor);
    bench->padding_ = padding_of(*sensor);
  }
  bench->twin_.open_context();
  bench->due_ = bench->clock_.now();
  const Instant timeout = bench->clock_.now() + Seconds{10};
  while (!bench->recorder_->ready() && bench->clock_.now() < timeout) bench->read_once();
  if (!bench->recorder_->ready())
    return fail(Errc::unsupported, "{}: the simulated sensors return no readings", gpu.name);
  return bench;
}

Result<> TwinBench::check(const graph::Network& network, const graph::Content*,
                          const RunCondition& condition) {
  const auto bill = graph::network_costs(network, condition.batch, condition.mode);
  if (!bill) return bill.error();
  if (bill->unknown.empty()) return {};
  std::vector<std::string> names;
  for (const auto& [name, count] : bill->unknown) names.push_back(name);
  return fail(Errc::unsupported, "{}", fmt::join(names, "; "));
}

std::vector<std::string> TwinBench::warnings(const graph::Network& network,
                                             const RunCondition& condition) const {
  return device::precision_warnings(network, condition.precision, twin_.specification());
}

Result<std::unique_ptr<PreparedWork>> TwinBench::prepare(const graph::Network& network,
                                                         const RunCondition& condition,
                                                         const PrepareOptions& preparation) {
  if (auto known = check(network, preparation.content, condition); !known) return known.error();
  if (preparation.launch == Launch::replay)
    return fail(Errc::unsupported, "a twin does not support --replay");
  const auto workload =
      device::workload_of(preparation.input_gradient ? with_input_gradients(network) : network,
                          condition.batch, condition.mode, condition.precision);
  if (!workload) return workload.error();
  if (workload->operations.empty())
    return fail(Errc::unsupported, "{} has no operations that run on a GPU", network.name);
  if (const auto fits = device::memory_on(*workload, twin_.specification()); !fits) return fits.error();
  return work(std::make_shared<const device::Load>(*workload, twin_.specification()));
}

std::unique_ptr<PreparedWork> TwinBench::work(std::shared_ptr<const device::Load> load) {
  return std::make_unique<TwinWork>(*this, std::move(load));
}

std::unique_ptr<EnergyWindow> TwinBench::open() {
  recorder_->take_trace();
  return std::make_unique<TwinWindow>(*this);
}

Result<> TwinBench::hold_clock(std::optional<Hertz> clock) {
  if (!clock) {
    twin_.unlock_clock();
  } else if (auto locked = twin_.lock_clock(*clock); !locked) {
    return locked;
  }
  constexpr Seconds kSettles{0.1};
  pass(kSettles);
  return {};
}

void TwinBench::pass(Seconds time) {
  const Instant end = clock_.now() + time;
  while (due_ <= end) read_once();
  clock_.sleep_until(end);
}

void TwinBench::read_once() {
  clock_.sleep_until(due_);
  due_ = recorder_->read();
}

}  // namespace ergon::profile
