#pragma once

#include <memory>

#include "base/clock.h"
#include "device/device.h"
#include "profile/engine.h"

namespace ergon::profile {

struct FakeGpuLibrary;

// Runs zoo networks with their default inputs on a GPU of fake-nvml (docs/fake-nvml.md), whose twin simulates
// them. All readings go through NVML as for a real GPU, so that commands can be tested without one. Time is
// real or, if the scenario says so, manual; manual time advances by the duration of the work.
class FakeGpuEngine final : public Engine {
 public:
  // The device outlives the engine. Errors: unsupported, if the device is not from fake-nvml; the library
  // cannot be loaded.
  static Result<std::unique_ptr<FakeGpuEngine>> open(device::Device& gpu, Clock& clock);
  ~FakeGpuEngine() override;

  const EngineFacts& facts() const override { return facts_; }
  Result<> check(const graph::Network& network, const graph::Content* content,
                 const RunCondition& condition) override;
  // Errors: unsupported for single operations, Launch::replay and networks from files.
  Result<std::unique_ptr<PreparedWork>> prepare(const graph::Network& network, const RunCondition& condition,
                                                const PrepareOptions& preparation) override;
  // Same errors. The GPU runs batches continuously until another size is submitted.
  Result<std::unique_ptr<BatchExecutor>> open_executor(const graph::Network& network,
                                                       const RunCondition& condition,
                                                       const PrepareOptions& preparation) override;

 private:
  // Checks that the work is supported and opens a context.
  Result<> set_up(const graph::Network& network, const RunCondition& condition,
                  const PrepareOptions& preparation);
  FakeGpuEngine(std::shared_ptr<const FakeGpuLibrary> library, device::Device& gpu, Clock& clock);

  std::shared_ptr<const FakeGpuLibrary> library_;
  Clock& clock_;
  EngineFacts facts_;
  std::optional<Bytes> memory_;  // of the GPU
};

}  // namespace ergon::profile
