// Uses the public API from outside Ergon's tree: a measurement window, a prediction, a choice of the
// operating point, and a power cap over a plant of its own. Exits with 1 if a number is off.
//
// Runs without a GPU on fake-nvml: ERGON_NVML=.../libnvidia-ml.so.1 ./consumer

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ergon/ergon.h>
#include <thread>

namespace {

using namespace ergon::literals;

bool all_good = true;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "consumer: not as expected: %s\n", what);
  all_good = false;
}

bool failed(const ergon::Error& error) {
  std::fprintf(stderr, "consumer: %s\n", error.message.c_str());
  return all_good = false;
}

// The energy of a piece of this program.
bool measure() {
  const auto gpus = ergon::select_devices({"gpu0"});
  if (!gpus) return failed(gpus.error());
  auto meter = ergon::Meter::start(*gpus);
  if (!meter) return failed(meter.error());

  ergon::Window window = meter->begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(800));  // the work
  window.end();                                                 // takes microseconds

  const auto measured = window.measurement();  // waits until the sensor has covered the window
  if (!measured) return failed(measured.error());
  const auto& energy = measured->energy;
  std::printf("measure: %s: %.1f J (%.1f to %.1f J) in %.2f s%s\n", gpus->front().identity().name.c_str(),
              energy.value.si(), energy.low.si(), energy.high.si(), measured->duration.si(),
              measured->simulated ? ", simulated" : "");
  for (const ergon::Reason& reason : measured->reasons) std::printf("  not valid: %s\n", reason.text.c_str());
  expect(energy.low < energy.value && energy.value < energy.high, "the interval contains the energy");
  expect(measured->power.value > 1_W && measured->power.value < 1000_W, "power of a GPU");
  expect(measured->duration > 0.7_s && measured->duration < 5_s, "duration of the window");
  return true;
}

// What a network would cost on a GPU that is not here.
bool predict(const ergon::Network& network, const ergon::Predictor& h200) {
  const auto prediction = h200.predict(network, {.batch = 32});
  if (!prediction) return failed(prediction.error());
  const auto& energy = prediction->energy_per_sample;
  std::printf("predict: %s on %s: %.2f ms, %.0f W, %.1f mJ per sample (%.1f to %.1f mJ), %s\n",
              network.name().c_str(), h200.device().c_str(), prediction->time.value.si() * 1e3,
              prediction->power.value.si(), energy.value.si() * 1e3, energy.low.si() * 1e3,
              energy.high.si() * 1e3, std::string(name_of(prediction->source)).c_str());
  expect(prediction->source == ergon::PredictionSource::learned, "a bundled model");
  expect(prediction->time.value > 1_ms && prediction->time.value < 100_ms, "time of a batch");
  expect(energy.low < energy.value && energy.value < energy.high, "the interval contains the prediction");
  return true;
}

// The clock, batch and power limit that need the least energy within a latency.
bool tune(const ergon::Network& network, const ergon::Predictor& h200) {
  ergon::TuneRequest request;
  request.max_latency = 20_ms;
  const auto tuned = ergon::tune_network(network, {h200}, request);
  if (!tuned) return failed(tuned.error());
  const ergon::OperatingPoint& choice = tuned->choice;
  std::printf(
      "tune: batch %lld at %.0f MHz saves %.1f %% energy per sample; %zu points on the Pareto front\n",
      static_cast<long long>(choice.batch), choice.prediction.clock.si() / 1e6, 100 * tuned->energy_saving,
      tuned->front.size());
  expect(choice.latency() <= 20_ms, "the bound on the latency");
  expect(tuned->energy_saving > 0, "a saving");
  expect(choice.energy_per_sample() < tuned->at_default.energy_per_sample(), "less energy than the default");
  return true;
}

// A server with a formula in place of its GPU: 60 W idle, 1 ms per batch and 0.2 ms per sample.
class Server final : public ergon::Plant {
 public:
  ergon::OperatingPoints operating_points() const override { return {{1, 2, 4, 8, 16, 32, 64}, {}}; }
  ergon::Watts idle_power() const override { return 60_W; }
  ergon::Seconds now() const override { return now_; }

  ergon::Result<ergon::CapFeedback> run(const ergon::BatchAndClock& point,
                                        const ergon::DecisionInterval& interval) override {
    const auto samples = static_cast<double>(point.batch);
    const ergon::Seconds each{1e-3 + 2e-4 * samples};
    ergon::CapFeedback feedback;
    feedback.point = point;
    feedback.duration = each * interval.batches;
    feedback.samples = samples * interval.batches;
    feedback.power = feedback.mean_power = power(point.batch);
    feedback.latency = each;
    now_ += feedback.duration;
    return feedback;
  }

  static ergon::Watts power(std::int64_t batch) {
    return ergon::Watts{60 + 240 * (1 - std::exp(-static_cast<double>(batch) / 12))};
  }

 private:
  ergon::Seconds now_;
};

bool cap() {
  Server server;
  ergon::CapOptions options;
  options.controller.max_power = 350_W;
  options.duration = 10_s;
  const auto held = ergon::hold_cap(server, 220_W, options);
  if (!held) return failed(held.error());
  const auto& last = held->decisions.back().feedback;
  std::printf("cap: %zu decisions, %.0f samples/s at batch %lld and %.0f W under a cap of 220 W\n",
              held->decisions.size(), held->settled_throughput, static_cast<long long>(last.point.batch),
              last.power->si());
  expect(*last.power <= 220_W, "power under the cap");
  expect(last.point.batch == 8, "the largest batch within the cap");
  expect(Server::power(16) > 220_W, "the next batch exceeds it");
  return true;
}

}  // namespace

int main() {
  std::printf("ergon %s\n", std::string(ergon::version()).c_str());
  const auto network = ergon::Network::load("resnet50");
  const auto h200 = ergon::Predictor::of_device("h200");
  if (!network || !h200) return 1;
  const bool ran = measure() && predict(*network, *h200) && tune(*network, *h200) && cap();
  return ran && all_good ? 0 : 1;
}
