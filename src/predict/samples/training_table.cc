#include "predict/samples/training_table.h"

#include <fmt/format.h>

#include "predict/learn/features.h"
#include "predict/samples/operation_rows.h"
#include "profile/run_condition.h"

namespace ergon::predict {

std::string training_table(const TrainingData& data, const device::Specification& gpu) {
  std::string text =
      "group,operation,batch,mode,precision,kernels_only,weight,time_seconds,power_watts,"
      "estimated_time_seconds,estimated_power_watts";
  for (const std::string_view name : feature_names()) text += fmt::format(",x_{}", name);
  text += '\n';
  const LaunchOverhead overhead = launch_overhead_of(data, gpu);
  for (const OperationRow& row : operation_rows(data, gpu)) {
    const OperationSample& sample = *row.sample;
    const double weight = row.busy(overhead.of(sample.task.kind, sample.config.mode));
    text += fmt::format("{},{},{},{},{},{},{:.6g},{:.9g},{},{:.9g},{:.9g}", sample.group, sample.task.kind,
                        sample.config.batch, profile::name_of(sample.config.mode),
                        device::name_of(sample.config.precision), sample.kernels_only ? 1 : 0, weight,
                        sample.time.si(), sample.power ? fmt::format("{:.9g}", sample.power->si()) : "",
                        row.settled.si(), row.settled_power.si());
    for (const float value : row.features) text += fmt::format(",{}", value);
    text += '\n';
  }
  return text;
}

}  // namespace ergon::predict
