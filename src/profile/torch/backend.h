#pragma once

#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "profile/torch/torch_engine.h"

namespace ergon::profile::torch {

// A recorded sequence of calls (CUDA graph), replayed with one launch.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void replay() = 0;
};

// A point in the command stream of a device (CUDA event).
class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
  // All earlier work is done. Throws errors of that work.
  virtual bool reached() = 0;
};

// Differences between processor and GPU.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual c10::Device device() const = 0;
  virtual Bytes cache() const = 0;
  // Calls return before the device has finished.
  virtual bool asynchronous() const = 0;
  // Waits for all submitted work. Throws errors of that work.
  virtual void finish() = 0;
  // Records an event after all work submitted so far.
  virtual std::unique_ptr<DeviceEvent> mark() = 0;
  // A copy in pinned host memory.
  virtual at::Tensor staged(const at::Tensor& tensor) = 0;
  // Copies to the device concurrently with running work. Work submitted from now on waits for the copy.
  virtual void fetch(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) = 0;
  // Frees cached memory.
  virtual void release_memory() = 0;
  // Runs `work` a few times and then records it. `sharing`: a recording whose memory pool is used; both must
  // not run at the same time. Returns null if recording is not supported.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work,
                                            const Recording* sharing = nullptr) = 0;
};

std::unique_ptr<Backend> processor_backend();
// Errors: unsupported.
Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice& gpu);

}  // namespace ergon::profile::torch
