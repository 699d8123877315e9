#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "graph/content.h"
#include "graph/network.h"
#include "profile/condition.h"
#include "profile/row.h"
#include "profile/service.h"

namespace ergon::profile {

// What runs, and on what.
struct EngineFacts {
  std::string engine;          // "libtorch", "twin"
  std::string version;         // "2.11.0"
  std::string place;           // "cuda:0", "cpu"
  std::string device;          // the product
  std::string uuid;            // under which rows are kept
  std::optional<Bytes> cache;  // the last one before the memory
  bool simulated = false;
};

struct Ran {
  std::int64_t iterations = 0;
  Seconds time;

  Seconds each() const { return time / static_cast<double>(iterations); }
};

// Work that is ready to be repeated: tensors are in their places and nothing is left to be set up.
class Prepared {
 public:
  virtual ~Prepared() = default;

  // Runs so often or a little more, one after another, and comes back when all is done. Errors:
  // out_of_memory; whatever the device does.
  virtual Result<Ran> run(std::int64_t iterations) = 0;
  // What the host needs to ask for one iteration while nothing holds it up; nothing where that means nothing.
  virtual Result<std::optional<Seconds>> host_time() = 0;
  // Copies with weights of their own that take turns.
  virtual std::int64_t instances() const = 0;
};

struct Preparation {
  const graph::Content* content = nullptr;  // the network's own numbers; null: random ones
  Launch launch = Launch::eager;
  bool block = false;           // one operation: take turns among instances that a cache cannot hold
  bool input_gradient = false;  // in training, at the inputs too
  std::uint64_t seed = 1;
};

// Runs networks, or operations, which are networks of one step.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual const EngineFacts& facts() const = 0;
  // Whether all of it can be run, without running anything. Errors: unsupported, naming what cannot.
  virtual Result<> check(const graph::Network& network, const graph::Content* content,
                         const Condition& condition) = 0;
  // Errors: unsupported, naming what cannot be run; out_of_memory.
  virtual Result<std::unique_ptr<Prepared>> prepare(const graph::Network& network, const Condition& condition,
                                                    const Preparation& preparation) = 0;
  // The network at inference, ready for batches up to the condition's. Errors: those of prepare();
  // unsupported where batches cannot change.
  virtual Result<std::unique_ptr<Service>> serve(const graph::Network& network, const Condition& condition,
                                                 const Preparation& preparation);
};

// How many instances of an operation take turns: so many that their weights are twice what a cache holds and
// each finds its own gone, and no more than keep setting up short.
std::int64_t instances_for(Bytes weights, Bytes cache);

}  // namespace ergon::profile
