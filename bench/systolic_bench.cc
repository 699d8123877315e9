// Systolic arrays compared with SCALE-Sim v3, whose run times (August 2025, Python 3.11, one process on a
// shared two-core Debian 12 machine, +-30 %) are the constants in the tables below.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "allocate/arada.h"
#include "systolic/catalog/catalog.h"
#include "systolic/scalesim/reports.h"
#include "systolic/simulate.h"

namespace {

using namespace ergon;
using namespace ergon::systolic;

std::vector<Layer> layers(const char* network) {
  auto found = zoo_layers(network);
  if (!found) std::abort();
  return std::move(*found);
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double median_of_runs(int times, const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) taken.push_back(seconds(work));
  return median(taken);
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void run(const std::vector<Layer>& network, const Machine& machine, const MemoryPort& port,
         Semantics semantics, ScheduleCache& cache, std::size_t workers) {
  if (!simulate(network, machine, port, semantics, cache, workers)) std::abort();
}

void mobilenet() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("ergon-bench-{}", ::getpid());
  const auto network = layers("scalesim/MobileNet");
  const Machine machine{{64, 64}, Dataflow::output_stationary, {1 << 20, 2 << 20, 1 << 20}};
  const double cold = median_of_runs(21, [&] {
    ScheduleCache cache;
    const auto runs = simulate(network, machine, MemoryPort::of(20), Semantics::v3, cache, 1);
    if (!runs || !scalesim::write_reports(folder, *runs, Semantics::v3)) std::abort();
  });
  std::filesystem::remove_all(folder);
  ScheduleCache cache;
  run(network, machine, MemoryPort::of(20), Semantics::v3, cache, 1);
  const auto points = [&](Semantics semantics) {
    return seconds([&] {
             for (int words = 1; words <= 500; ++words) {
               run(network, machine, MemoryPort::of(words), semantics, cache, 1);
             }
           }) /
           500;
  };
  fmt::print("MobileNet, 64 x 64 output stationary, 1/2/1 MB, finite bandwidth, one thread\n\n");
  fmt::print("  cold, three reports written          {:8.3f} ms   (limit 120 ms, target 50 ms)\n",
             1e3 * cold);
  fmt::print("  a further bandwidth, v3              {:8.3f} ms   (target 1 ms)\n",
             1e3 * points(Semantics::v3));
  fmt::print("  a further bandwidth, ergon           {:8.3f} ms\n", 1e3 * points(Semantics::ergon));
  fmt::print("  SCALE-Sim v3                         {:8.0f} ms   {:.0f} times as long\n\n", 171e3,
             171 / cold);
}

void beside_scalesim() {
  struct Row {
    const char* network;
    std::int64_t rows, columns, ifmap, filter, ofmap;  // KiB
    const char* dataflow;
    bool user;
    std::int64_t words;
    double scalesim;
  };
  const Row rows[] = {
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "os", false, 20, 124},
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "ws", false, 20, 134},
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "is", false, 20, 208},
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "os", true, 20, 171},
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "ws", true, 20, 216},
      {"scalesim/MobileNet", 64, 64, 1024, 2048, 1024, "is", true, 20, 411},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "os", false, 16, 155},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "ws", false, 16, 163},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "is", false, 16, 369},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "os", true, 16, 235},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "ws", true, 16, 225},
      {"scalesim/MobileNet", 128, 32, 512, 512, 256, "is", true, 16, 507},
      {"scalesim/FaceRecognitionID", 64, 64, 1024, 2048, 1024, "os", true, 20, 106},
      {"scalesim/FaceRecognitionID", 64, 64, 1024, 2048, 1024, "ws", true, 20, 119},
      {"scalesim/FaceRecognitionID", 64, 64, 1024, 2048, 1024, "is", true, 20, 164},
      {"scalesim/FaceRecognitionID", 128, 32, 512, 512, 256, "os", false, 16, 158},
      {"scalesim/FaceRecognitionID", 128, 32, 512, 512, 256, "is", true, 16, 236},
      {"scalesim/FasterRCNN", 64, 64, 2048, 1024, 1024, "os", true, 40, 566},
      {"scalesim/FasterRCNN", 256, 256, 4096, 2048, 2048, "os", false, 40, 114},
  };
  fmt::print("One thread, median of five; SCALE-Sim v3: recorded run times\n\n");
  fmt::print("  {:<28}{:>9} {:>15} {} {:>5}  {:>9} {:>10} {:>9}\n", "network", "array", "scratchpads", "df",
             "mode", "ergon ms", "SCALE-Sim s", "ratio");
  for (const Row& row : rows) {
    const auto network = layers(row.network);
    const Machine machine{{row.rows, row.columns},
                          *dataflow_of(row.dataflow),
                          {row.ifmap << 10, row.filter << 10, row.ofmap << 10}};
    MemoryPort port = MemoryPort::of(static_cast<double>(row.words));
    port.calculated = !row.user;
    const double taken = median_of_runs(5, [&] {
      ScheduleCache cache;
      run(network, machine, port, Semantics::v3, cache, 1);
    });
    fmt::print("  {:<28}{:>9} {:>15} {} {:>5}  {:>9.2f} {:>10.0f} {:>9.0f}\n", row.network,
               fmt::format("{}x{}", row.rows, row.columns),
               fmt::format("{}/{}/{}", row.ifmap, row.filter, row.ofmap), row.dataflow,
               row.user ? "USER" : "CALC", 1e3 * taken, row.scalesim, row.scalesim / taken);
  }
  fmt::print("\n");
}

void arada_table() {
  std::vector<std::vector<Layer>> all;
  for (const std::string& name : allocate::arada_networks()) all.push_back(layers(name.c_str()));
  std::size_t configurations = 0, runs = 0;
  const auto work = [&] {
    configurations = runs = 0;
    for (const char* name : {"edge-tpu", "hpc-tpu"}) {
      const auto accelerator = find_accelerator(name);
      for (const auto& network : all) {
        ScheduleCache cache;
        for (const auto& [memory, words] : accelerator->calibrated_words_per_cycle) {
          run(network, accelerator->machine, MemoryPort::of(static_cast<double>(words)), Semantics::v2_2021,
              cache, 2);
          ++runs;
        }
      }
      configurations += accelerator->calibrated_words_per_cycle.size();
    }
  };
  const double taken = median_of_runs(3, work);
  const double scalesim = 12.8 * 3600;
  fmt::print("ARADA's nine networks on {} configurations ({} runs), finite bandwidth, two threads\n\n",
             configurations, runs);
  fmt::print("  ergon       {:10.3f} s, peak memory {} MB   (targets 5 s, 512 MB)\n", taken,
             peak_megabytes());
  fmt::print("  SCALE-Sim v3 {:9.0f} s (extrapolated), {:.0f} times as long\n\n", scalesim, scalesim / taken);
}

void largest_network() {
  const auto network = layers("bit/m-r154x4");
  const auto accelerator = find_accelerator("edge-tpu");
  ScheduleCache cache;
  const double taken =
      seconds([&] { run(network, accelerator->machine, MemoryPort::of(8), Semantics::v3, cache, 1); });
  std::int64_t macs = 0;
  for (const Layer& layer : network) macs += layer.geometry.macs();
  fmt::print(
      "The zoo's largest network (bit/m-r154x4, {:.0f} G MACs) on the Edge TPU: {:.1f} ms, peak memory of "
      "all\n"
      "benchmarks here {} MB (target 200 MB)\n",
      static_cast<double>(macs) / 1e9, 1e3 * taken, peak_megabytes());
}

}  // namespace

int main() {
  mobilenet();
  beside_scalesim();
  arada_table();
  largest_network();
}
