#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/estimate/task.h"

namespace ergon::predict {

// One measured operation, repeated alone.
struct OperationSample {
  Task task;
  WorkloadConfig config;
  std::string group;           // the operation at any batch; a group is never split between folds
  std::optional<Hertz> clock;  // locked clock; absent: default clock
  Seconds time;                // per repetition
  std::optional<Watts> power;
  std::optional<Seconds> host;  // measured launch time
  bool kernels_only = false;    // replayed from a CUDA graph, without launch overhead
};

// One measured network.
struct NetworkSample {
  Iteration iteration;
  std::optional<Hertz> clock;  // locked clock; absent: default clock
  Seconds time;                // per iteration
  std::optional<Watts> power;
};

// Origin of rows, stored in the model file.
struct TrainingSource {
  std::string name;                           // of the table or folder
  std::string detail;                         // device, engine and method, from its sidecar
  std::int64_t operations = 0, networks = 0;  // rows
  bool simulated = false;                     // measured on a twin
};

// All measurements of one device.
struct TrainingData {
  std::string device;  // name of its twin
  std::vector<OperationSample> operations;
  std::vector<NetworkSample> networks;
  std::vector<TrainingSource> sources;
  std::vector<std::string> skipped;  // messages: rows that could not be used, and why
};

}  // namespace ergon::predict
