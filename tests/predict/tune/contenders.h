#pragma once

#include <string>
#include <vector>

#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"
#include "predict/builtin_models.h"
#include "predict/model_file.h"
#include "predict/tune/candidates.h"

namespace ergon::predict {

inline graph::Network network_called(const std::string& name) {
  return graph::zoo::build(*graph::zoo::find(name).value()).value();
}

inline std::vector<Job> jobs_of(const std::string& network, const std::vector<std::int64_t>& batches,
                                graph::Mode mode = graph::Mode::inference) {
  const graph::Network built = network_called(network);
  std::vector<Job> jobs;
  for (const std::int64_t batch : batches)
    jobs.push_back(job_of(built, {batch, mode, device::Precision::tf32}).value());
  return jobs;
}

// By the twin alone.
inline Predictor twin_predictor(const std::string& device) {
  return Predictor(device::find_device(device).value());
}

// By the model that comes with Ergon. Contract: there is one.
inline Predictor learned_predictor(const std::string& device) {
  return Predictor::with(device::find_device(device).value(),
                         read_model(builtin_model(device), "the model of " + device).value())
      .value();
}

inline Contender contender(const std::string& device, const std::string& network,
                           const std::vector<std::int64_t>& batches,
                           graph::Mode mode = graph::Mode::inference) {
  return contender_of(twin_predictor(device), jobs_of(network, batches, mode)).value();
}

}  // namespace ergon::predict
