#pragma once

#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <vector>

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

// A moment in what a device was asked for.
class Mark {
 public:
  virtual ~Mark() = default;
  // All before it is done. Throws what went wrong meanwhile.
  virtual bool reached() = 0;
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
  // Behind all that was asked for so far.
  virtual std::unique_ptr<Mark> mark() = 0;
  // The same numbers in the host's memory, from where the device can take them by itself.
  virtual at::Tensor staged(const at::Tensor& tensor) = 0;
  // Brings them to the device beside what it does; what is asked for from now on waits for them.
  virtual void fetch(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) = 0;
  // Gives memory back that is held for later.
  virtual void release_memory() = 0;
  // Runs `work` a few times and then records it. With another recording that never runs at the same time, in
  // the memory of that one as far as it reaches. Null where nothing can be recorded.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work,
                                            const Recording* sharing = nullptr) = 0;
};

std::unique_ptr<Backend> processor_backend();
// Errors: unsupported.
Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice& gpu);

}  // namespace ergon::profile::torch
