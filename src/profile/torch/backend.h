#pragma once

#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>

#include "base/result.h"
#include "base/units.h"
#include "profile/torch/torch_engine.h"

namespace ergon::profile::torch {

// Calls recorded once and replayed without the host asking for each.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void replay() = 0;
};

// What differs between a processor and a GPU.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual c10::Device device() const = 0;
  virtual Bytes cache() const = 0;
  // The host runs ahead of the device.
  virtual bool asynchronous() const = 0;
  // Waits until all that was asked for is done. Throws what went wrong meanwhile.
  virtual void finish() = 0;
  // Gives memory back that is held for later.
  virtual void release_memory() = 0;
  // Runs `work` a few times and then records it. Null where nothing can be recorded.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work) = 0;
};

std::unique_ptr<Backend> processor_backend();
// Errors: unsupported.
Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice& gpu);

}  // namespace ergon::profile::torch
