#pragma once

// Results as the JSON documents that the program prints with --json: "schema", "ergon" (version),
// "provenance", and the fields that docs/json.md lists.
//
//   auto text = ergon::predict_document(*predictor, *network, {.batch = 32});

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ergon/export.h"
#include "ergon/measure.h"
#include "ergon/network.h"
#include "ergon/predict.h"
#include "ergon/result.h"
#include "ergon/tune.h"

namespace ergon {

struct DocumentOptions {
  std::vector<std::string> command = {};  // "provenance.command": how the caller was started
};

// The built-in networks: `ergon zoo`.
ERGON_API Result<std::string> zoo_document(const DocumentOptions& options = {});

// Layers, operations and costs: `ergon inspect`. Without a batch: the network's default batch, or 1. Errors:
// as Network::cost().
ERGON_API Result<std::string> inspect_document(const Network& network, std::optional<std::int64_t> batch = {},
                                               Mode mode = Mode::inference,
                                               const DocumentOptions& options = {});

struct PredictDocumentOptions {
  bool curves = false;  // with curves over the clock, at several batches and precisions
  DocumentOptions document = {};
};

// A prediction with its operations: `ergon predict`. Errors: as Predictor::predict().
ERGON_API Result<std::string> predict_document(const Predictor& predictor, const Network& network,
                                               const Workload& workload = {},
                                               const ClockAndLimit& setting = {},
                                               const PredictDocumentOptions& options = {});

// The best operating point: `ergon tune`. Errors: as tune_network().
ERGON_API Result<std::string> tune_document(const Network& network, const std::vector<Predictor>& predictors,
                                            const TuneRequest& request = {},
                                            const DocumentOptions& options = {});

// A measurement of a window: `ergon measure`. There is no exit code, and all devices are listed together.
ERGON_API Result<std::string> measurement_document(const Measurement& measurement,
                                                   const DocumentOptions& options = {});

}  // namespace ergon
