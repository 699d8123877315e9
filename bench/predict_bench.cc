// Predicting networks that were never run: loading a model (the bar is 50 ms), the thesis's 18 networks at
// one clock (1 ms), and every network of the zoo at 200 clocks (100 ms). The peer, a random forest of
// scikit-learn that learned from the same rows, is asked by predict_sklearn.py about as many operations.
//   bench_predict MODEL         the table
//   bench_predict operations    how many operations the 18 networks have

#include <algorithm>
#include <chrono>
#include <string_view>

#include <fmt/core.h>

#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"
#include "predict/features.h"
#include "predict/model_file.h"
#include "predict/predictor.h"
#include "reproduce/thesis_sets.h"

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
  for (const app::ThesisSet& set : app::thesis_sets()) networks.push_back(app::build(set).value());
  return networks;
}

std::vector<predict::Job> jobs_of(const std::vector<graph::Network>& networks) {
  std::vector<predict::Job> jobs;
  for (const graph::Network& each : networks) jobs.push_back(predict::job_of(each, {kBatch}).value());
  return jobs;
}

std::size_t operations_of(const std::vector<predict::Job>& jobs) {
  std::size_t count = 0;
  for (const predict::Job& job : jobs) count += job.tasks.size();
  return count;
}

// What trees are asked about.
std::vector<float> features_of(const std::vector<predict::Job>& jobs, const device::Specification& gpu) {
  std::vector<float> rows;
  for (const predict::Job& job : jobs) {
    for (const predict::Task& task : job.tasks) {
      const predict::PlacedTask placed(task, job.condition.precision, gpu);
      const auto settled = predict::settle(placed, gpu, gpu.core.most, gpu.limit.usual);
      const auto features = predict::features_of(task, placed, settled, job.condition, gpu);
      rows.insert(rows.end(), features.begin(), features.end());
    }
  }
  return rows;
}

// Those that fit the memory.
std::vector<predict::Outlook> outlooks_of(const std::vector<graph::Network>& networks,
                                          const predict::Predictor& predictor) {
  std::vector<predict::Outlook> outlooks;
  for (const graph::Network& each : networks) {
    if (auto outlook = predictor.prepare(each, {kBatch})) outlooks.push_back(std::move(*outlook));
  }
  return outlooks;
}

double ask(const std::vector<predict::Outlook>& outlooks, const device::Specification& gpu,
           std::size_t clocks) {
  double sum = 0;
  for (const predict::Outlook& outlook : outlooks) {
    for (std::size_t i = 1; i <= clocks; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(clocks);
      const auto forecast = outlook.at({gpu.core.least + (gpu.core.most - gpu.core.least) * part, {}});
      sum += forecast.time.value.si() + forecast.energy.value.si();
    }
  }
  return sum;
}

void print_table(const std::string& path) {
  volatile double kept = 0;  // so that nothing is optimised away
  fmt::print("{:<66} {:>9} {:>6}\n", "Predicting, batch 32, one thread, medians of nine", "ms", "bar");
  fmt::print("{:-<66} {:->9} {:->6}\n", "", "", "");
  row(fmt::format("ergon: load {}", path),
      milliseconds([&] { (void)predict::read_model_file(path).value(); }), "50");
  predict::Model model = predict::read_model_file(path).value();
  const auto gpu = device::find_device(model.device).value();
  const predict::Forest time = model.time, power = model.power;
  const auto predictor = predict::Predictor::with(gpu, std::move(model)).value();

  const auto networks = thesis_networks();
  const auto jobs = jobs_of(networks);
  const std::size_t operations = operations_of(jobs);
  row("ergon: build the thesis's 18 networks", milliseconds([] { (void)thesis_networks(); }), "");
  row("ergon: prepare them, once for all clocks",
      milliseconds([&] { kept = kept + static_cast<double>(outlooks_of(networks, predictor).size()); }), "");
  row("- of that, what their operations ask of a chip", milliseconds([&] { (void)jobs_of(networks); }), "");
  row(fmt::format("- of that, features of {} operations", operations),
      milliseconds([&] { kept = kept + features_of(jobs, gpu).front(); }), "");
  const auto rows = features_of(jobs, gpu);
  row(fmt::format("- of that, {} trees, asked about {} operations", time.trees() + power.trees(), operations),
      milliseconds([&] {
        kept = kept + time.sums(rows, predict::feature_count()).front() +
               power.sums(rows, predict::feature_count()).front();
      }),
      "");
  const auto outlooks = outlooks_of(networks, predictor);
  row("ergon: ask the 18 about time and energy at one clock",
      milliseconds([&] { kept = kept + ask(outlooks, gpu, 1); }), "1");

  std::vector<graph::Network> zoo;
  for (const graph::zoo::Entry& entry : graph::zoo::entries())
    zoo.push_back(graph::zoo::build(entry).value());
  std::vector<predict::Outlook> all;
  row(fmt::format("ergon: prepare the whole zoo, {} networks", zoo.size()),
      milliseconds([&] { all = outlooks_of(zoo, predictor); }), "");
  row(fmt::format("ergon: ask {} of them, those that fit, about {} clocks", all.size(), kClocks),
      milliseconds([&] { kept = kept + ask(all, gpu, kClocks); }), "100");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what.empty()) return 2;
  if (what == "operations") {
    fmt::print("{}\n", operations_of(jobs_of(thesis_networks())));
  } else {
    print_table(std::string(what));
  }
}
