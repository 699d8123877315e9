// A simulated hour of a loaded h200 with a power reading every 10 ms (target: 200 ms), and estimates of
// every network of the zoo (target: 20 ms each).

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "device/twin/twin.h"
#include "graph/zoo/zoo.h"

namespace {

using namespace ergon;
using namespace ergon::device;
using namespace ergon::literals;
using Wall = std::chrono::steady_clock;

double milliseconds_since(Wall::time_point begin) {
  return std::chrono::duration<double, std::milli>(Wall::now() - begin).count();
}

Workload work(const graph::zoo::Entry& entry, std::int64_t batch, graph::Mode mode) {
  const auto network = graph::zoo::build(entry).value();
  return workload_of(network, batch, mode, Precision::tf32).value();
}

void hour(const char* what, bool limited) {
  const Specification gpu = find_device("h200").value();
  const auto load = std::make_shared<const Load>(
      work(*graph::zoo::find("resnet50").value(), 64, graph::Mode::inference), gpu);
  Twin twin(gpu, 1);
  if (limited) (void)twin.set_limit(400_W);
  twin.run(load);
  const auto begin = Wall::now();
  double sum = 0;
  for (int i = 0; i < 360'000; ++i) {
    twin.advance(10_ms);
    sum += twin.power("usage").value().si();
  }
  fmt::print("{:<32} {:8.1f} ms   mean reading {:.1f} W\n", what, milliseconds_since(begin), sum / 360'000);
}

}  // namespace

int main() {
  hour("an hour of h200, resnet50", false);
  hour("the same, limit 400 W", true);
  const Specification gpu = find_device("h200").value();
  double longest = 0, all = 0;
  std::string name;
  int count = 0;
  for (const graph::zoo::Entry& entry : graph::zoo::entries()) {
    for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
      const auto begin = Wall::now();
      const Workload workload = work(entry, 1, mode);
      const auto answer = estimate(workload, gpu, {});
      const double took = milliseconds_since(begin);
      if (!answer) continue;
      all += took, ++count;
      if (took > longest) longest = took, name = entry.name;
    }
  }
  fmt::print("{} estimates, network rebuilt each time: mean {:.2f} ms, longest {:.2f} ms ({})\n", count,
             all / count, longest, name);
}
