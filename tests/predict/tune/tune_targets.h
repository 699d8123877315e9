#pragma once

#include <string>
#include <vector>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "predict/model/builtin_models.h"
#include "predict/model/model_file.h"
#include "predict/tune/candidates.h"

namespace ergon::predict {

inline graph::Network network_named(const std::string& name) {
  return graph::zoo::build(*graph::zoo::find(name).value()).value();
}

inline std::vector<Iteration> iterations_of(const std::string& network,
                                            const std::vector<std::int64_t>& batches,
                                            graph::Mode mode = graph::Mode::inference) {
  const graph::Network built = network_named(network);
  std::vector<Iteration> iterations;
  for (const std::int64_t batch : batches)
    iterations.push_back(iteration_of(built, {batch, mode, device::Precision::tf32}).value());
  return iterations;
}

// Without a model.
inline Predictor twin_predictor(const std::string& device) {
  return Predictor(device::find_device(device).value());
}

// With the bundled model. Contract: there is one.
inline Predictor learned_predictor(const std::string& device) {
  return Predictor::with(device::find_device(device).value(),
                         read_model(builtin_model(device), "the model of " + device).value())
      .value();
}

inline TuneTarget target(const std::string& device, const std::string& network,
                         const std::vector<std::int64_t>& batches,
                         graph::Mode mode = graph::Mode::inference) {
  return tune_target_of(twin_predictor(device), iterations_of(network, batches, mode)).value();
}

}  // namespace ergon::predict
