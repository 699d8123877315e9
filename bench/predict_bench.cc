// Prediction: loading a model (target: 50 ms), the thesis's 18 networks at one clock (1 ms), and every
// network of the zoo at 200 clocks (100 ms). The peer is a random forest of scikit-learn, fitted to the same
// rows and evaluated on as many operations by predict_sklearn.py.
//   bench_predict MODEL         prints the table
//   bench_predict operations    prints the number of operations of the 18 networks

#include <algorithm>
#include <chrono>
#include <string_view>

#include <fmt/core.h>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "predict/learn/features.h"
#include "predict/model/model_file.h"
#include "predict/predictor.h"
#include "reproduce/thesis/cases.h"

namespace {

using namespace ergon;
using Wall = std::chrono::steady_clock;

constexpr std::int64_t kBatch = 32;
constexpr std::size_t kClocks = 200;

// The median of nine, in milliseconds.
template <typename Work>
double milliseconds(const Work& work) {
  constexpr std::size_t kTimes = 9;
  std::vector<double> times;
  for (std::size_t i = 0; i < kTimes; ++i) {
    const auto begin = Wall::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(Wall::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[kTimes / 2];
}

void row(const std::string& what, double time, const char* bar) {
  fmt::print("{:<66} {:>9.3f} {:>6}\n", what, time, bar);
}

std::vector<graph::Network> thesis_networks() {
  std::vector<graph::Network> networks;
  for (const reproduce::ThesisCase& set : reproduce::thesis_cases())
    networks.push_back(reproduce::build(set).value());
  return networks;
}

std::vector<predict::Iteration> iterations_of(const std::vector<graph::Network>& networks) {
  std::vector<predict::Iteration> iterations;
  for (const graph::Network& each : networks)
    iterations.push_back(predict::iteration_of(each, {kBatch}).value());
  return iterations;
}

std::size_t operations_of(const std::vector<predict::Iteration>& iterations) {
  std::size_t count = 0;
  for (const predict::Iteration& iteration : iterations) count += iteration.tasks.size();
  return count;
}

// Features of all operations, row after row.
std::vector<float> features_of(const std::vector<predict::Iteration>& iterations,
                               const device::Specification& gpu) {
  std::vector<float> rows;
  for (const predict::Iteration& iteration : iterations) {
    for (const predict::Task& task : iteration.tasks) {
      const predict::TaskEstimate estimate(task, iteration.config.precision, gpu);
      const auto settled = predict::settle(estimate, gpu, gpu.core.max, gpu.limit.default_limit);
      const auto features = predict::features_of(task, estimate, settled, iteration.config, gpu);
      rows.insert(rows.end(), features.begin(), features.end());
    }
  }
  return rows;
}

// The networks that fit into memory.
std::vector<predict::PreparedNetwork> prepared_of(const std::vector<graph::Network>& networks,
                                                  const predict::Predictor& predictor) {
  std::vector<predict::PreparedNetwork> prepared;
  for (const graph::Network& each : networks) {
    if (auto network = predictor.prepare(each, {kBatch})) prepared.push_back(std::move(*network));
  }
  return prepared;
}

double predict_all(const std::vector<predict::PreparedNetwork>& prepared, const device::Specification& gpu,
                   std::size_t clocks) {
  double sum = 0;
  for (const predict::PreparedNetwork& prepared : prepared) {
    for (std::size_t i = 1; i <= clocks; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(clocks);
      const auto prediction = prepared.predict({gpu.core.min + (gpu.core.max - gpu.core.min) * part, {}});
      sum += prediction.time.value.si() + prediction.energy.value.si();
    }
  }
  return sum;
}

void print_table(const std::string& path) {
  volatile double kept = 0;  // prevents dead-code elimination
  fmt::print("{:<66} {:>9} {:>6}\n", "Prediction, batch 32, one thread, median of nine", "ms", "target");
  fmt::print("{:-<66} {:->9} {:->6}\n", "", "", "");
  row(fmt::format("ergon: load {}", path),
      milliseconds([&] { (void)predict::read_model_file(path).value(); }), "50");
  predict::Model model = predict::read_model_file(path).value();
  const auto gpu = device::find_device(model.device).value();
  const predict::Forest time = model.time, power = model.power;
  const auto predictor = predict::Predictor::with(gpu, std::move(model)).value();

  const auto networks = thesis_networks();
  const auto iterations = iterations_of(networks);
  const std::size_t operations = operations_of(iterations);
  row("ergon: build the thesis's 18 networks", milliseconds([] { (void)thesis_networks(); }), "");
  row("ergon: prepare them, once for all clocks",
      milliseconds([&] { kept = kept + static_cast<double>(prepared_of(networks, predictor).size()); }), "");
  row("- of that, tasks of their operations", milliseconds([&] { (void)iterations_of(networks); }), "");
  row(fmt::format("- of that, features of {} operations", operations),
      milliseconds([&] { kept = kept + features_of(iterations, gpu).front(); }), "");
  const auto rows = features_of(iterations, gpu);
  row(fmt::format("- of that, {} trees on {} operations", time.trees() + power.trees(), operations),
      milliseconds([&] {
        kept = kept + time.sums(rows, predict::feature_count()).front() +
               power.sums(rows, predict::feature_count()).front();
      }),
      "");
  const auto prepared = prepared_of(networks, predictor);
  row("ergon: predict the 18 at one clock",
      milliseconds([&] { kept = kept + predict_all(prepared, gpu, 1); }), "1");

  std::vector<graph::Network> zoo;
  for (const graph::zoo::Entry& entry : graph::zoo::entries())
    zoo.push_back(graph::zoo::build(entry).value());
  std::vector<predict::PreparedNetwork> all;
  row(fmt::format("ergon: prepare the whole zoo, {} networks", zoo.size()),
      milliseconds([&] { all = prepared_of(zoo, predictor); }), "");
  row(fmt::format("ergon: predict {} of them, those that fit, at {} clocks", all.size(), kClocks),
      milliseconds([&] { kept = kept + predict_all(all, gpu, kClocks); }), "100");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what.empty()) return 2;
  if (what == "operations") {
    fmt::print("{}\n", operations_of(iterations_of(thesis_networks())));
  } else {
    print_table(std::string(what));
  }
}
