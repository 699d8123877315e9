#pragma once

#include <ergon/tune.h>
#include <vector>

#include "base/result.h"
#include "predict/predictor.h"
#include "predict/tune/tune.h"

namespace ergon::api {

// A tuned network as the folders behind the API know it.
struct Tuned {
  predict::WorkloadConfig config;  // its batch is not used
  predict::TuneRequest request;
  predict::TuneResult result;
  std::vector<predict::Predictor> predictors;  // distinct, in the order given
  std::vector<std::string> notes;              // batches or devices without enough memory
};

// Errors: as tune_network().
Result<Tuned> tuned(const Network& network, const std::vector<Predictor>& predictors,
                    const TuneRequest& request);

}  // namespace ergon::api
