#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "graph/content.h"
#include "graph/network.h"
#include "profile/batch_executor.h"
#include "profile/row.h"
#include "profile/run_condition.h"

namespace ergon::profile {

// Engine and device.
struct EngineFacts {
  std::string engine;          // "libtorch", "twin"
  std::string version;         // "2.11.0"
  std::string target;          // "cuda:0", "cpu"
  std::string device;          // product name
  std::string uuid;            // device id in rows
  std::optional<Bytes> cache;  // last-level cache
  bool simulated = false;
};

// Iterations and their total time.
struct TimedRun {
  std::int64_t iterations = 0;
  Seconds time;

  Seconds each() const { return time / static_cast<double>(iterations); }
};

// Work that can be run repeatedly: tensors are allocated and all setup is done.
class PreparedWork {
 public:
  virtual ~PreparedWork() = default;

  // Runs at least this many iterations one after another and returns when the device has finished. Errors:
  // out_of_memory; device errors.
  virtual Result<TimedRun> run(std::int64_t iterations) = 0;
  // Time that the host needs to launch one iteration if it does not wait for the device. Empty if host and
  // device are the same.
  virtual Result<std::optional<Seconds>> host_time() = 0;
  // Copies with separate weights that are used in rotation.
  virtual std::int64_t instances() const = 0;
};

struct PrepareOptions {
  const graph::Content* content = nullptr;  // weights and constants of the file; null: random weights
  Launch launch = Launch::eager;
  bool block = false;           // one operation: rotate among instances that exceed the cache
  bool input_gradient = false;  // in training, compute gradients of the inputs too
  std::uint64_t seed = 1;
};

// Runs networks, and operations as networks with one step.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual const EngineFacts& facts() const = 0;
  // Checks without running whether all operations are supported. Errors: unsupported, naming the operations.
  virtual Result<> check(const graph::Network& network, const graph::Content* content,
                         const RunCondition& condition) = 0;
  // How the work differs from the network: data types that run in the precision of the condition instead.
  virtual std::vector<std::string> warnings(const graph::Network& network,
                                            const RunCondition& condition) const;
  // Errors: unsupported, naming the operations; out_of_memory.
  virtual Result<std::unique_ptr<PreparedWork>> prepare(const graph::Network& network,
                                                        const RunCondition& condition,
                                                        const PrepareOptions& preparation) = 0;
  // Prepares inference with batches up to that of the condition. Errors: those of prepare(); unsupported, if
  // the engine cannot change the batch.
  virtual Result<std::unique_ptr<BatchExecutor>> open_executor(const graph::Network& network,
                                                               const RunCondition& condition,
                                                               const PrepareOptions& preparation);
};

// Number of instances to rotate among. Their weights together are twice the cache size, so that each instance
// finds its weights evicted. Bounded to keep setup short.
std::int64_t instances_for(Bytes weights, Bytes cache);

}  // namespace ergon::profile
