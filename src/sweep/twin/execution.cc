#include "sweep/twin/execution.h"

#include <cmath>

#include "device/twin/estimate.h"
#include "device/twin/kernel.h"

namespace ergon::sweep {
namespace {

// The distinct convolutions of a network, each `trials` times.
device::Workload searched(device::Workload workload, double trials) {
  std::erase_if(workload.operations, [](const device::Operation& each) { return each.kind != "conv"; });
  for (device::Operation& each : workload.operations) each.count = std::llround(trials);
  return workload;
}

// Log-normal factor with median 1.
double scattered(double deviation, Random& random) { return std::exp(deviation * random.normal()); }

}  // namespace

Result<ExecutionWork> ExecutionWork::prepare(const graph::Network& network, std::int64_t batch,
                                             device::Precision precision, const device::Specification& gpu,
                                             const ExecutionModel& model) {
  const auto workload = device::workload_of(network, batch, graph::Mode::inference, precision);
  if (!workload) return workload.error();
  if (workload->operations.empty())
    return fail(Errc::unsupported, "{} has no operations for a GPU", network.name);
  if (const auto fits = device::memory_on(*workload, gpu); !fits) return fits.error();
  ExecutionWork work;
  work.build_ = model.layer * static_cast<double>(network.layers.size()) + workload->weights / model.reading;
  work.copy_ = workload->weights / model.copying;
  work.iteration_ = std::make_shared<const device::Load>(*workload, gpu);
  if (const auto trials = searched(*workload, model.trials); !trials.operations.empty() && model.trials > 0)
    work.search_ = std::make_shared<const device::Load>(trials, gpu);
  return work;
}

Result<Seconds> execute(const ExecutionWork& work, const ExecutionModel& model, profile::TwinBench& bench,
                        Random& random) {
  const Seconds begin = bench.twin().now();
  bench.rest(model.begin * scattered(model.begin_scatter, random) +
             work.build() * scattered(model.build_scatter, random) + work.copy());
  for (const auto& load : {work.search(), work.iteration()}) {
    if (!load) continue;
    if (const auto ran = bench.work(load)->run(1); !ran) return ran.error();
  }
  return bench.twin().now() - begin;
}

}  // namespace ergon::sweep
