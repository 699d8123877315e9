#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/task.h"

namespace ergon::predict {

// One operation, measured by itself over and over.
struct OperationSample {
  Task task;
  Condition condition;
  std::string group;           // the operation, whatever its batch: rows that stand on one side together
  std::optional<Hertz> clock;  // that was asked for; nothing: the device's own
  Seconds time;                // of one iteration
  std::optional<Watts> power;
  std::optional<Seconds> host;  // that the host needs to ask for it
  bool kernels_only = false;    // replayed: nothing waited for the host
};

// A whole network, measured.
struct NetworkSample {
  Job job;
  std::optional<Hertz> clock;
  Seconds time;
  std::optional<Watts> power;
};

// Where rows come from, for the model's file.
struct Source {
  std::string name;    // of the table or folder
  std::string detail;  // device, engine, method: what its sidecar says
  std::int64_t operations = 0, networks = 0;
  bool simulated = false;  // a twin stood in for the device
};

// All that is known of one device.
struct TrainingData {
  std::string device;  // its twin's name
  std::vector<OperationSample> operations;
  std::vector<NetworkSample> networks;
  std::vector<Source> sources;
  std::vector<std::string> skipped;  // rows that could not be used, and why, in words
};

}  // namespace ergon::predict
