#pragma once

#include <memory>

#include "base/clock.h"
#include "device/device.h"
#include "profile/engine.h"

namespace ergon::app {

struct FakeGpuLibrary;

// Work for a GPU of fake-nvml (docs/fake-nvml.md): networks of the zoo, whole and as the zoo builds them, run
// by the twin that is behind the driver. Everything else about the GPU is read as from a real one, so that a
// command can be tried to its end where there is none. Time is the scenario's: the wall's, or manual, which
// then passes for as long as the work takes.
class FakeGpuEngine final : public profile::Engine {
 public:
  // The device outlives it. Errors: unsupported if the device is none of fake-nvml's; a library that cannot
  // be loaded.
  static Result<std::unique_ptr<FakeGpuEngine>> open(device::Device& gpu, Clock& clock);
  ~FakeGpuEngine() override;

  const profile::EngineFacts& facts() const override { return facts_; }
  Result<> check(const graph::Network& network, const graph::Content* content,
                 const profile::Condition& condition) override;
  // Errors: unsupported for operations, for calls that are recorded and replayed, and for networks of files.
  Result<std::unique_ptr<profile::Prepared>> prepare(const graph::Network& network,
                                                     const profile::Condition& condition,
                                                     const profile::Preparation& preparation) override;
  // The same errors. One batch follows the other on the GPU until somebody asks for another size.
  Result<std::unique_ptr<profile::Service>> serve(const graph::Network& network,
                                                  const profile::Condition& condition,
                                                  const profile::Preparation& preparation) override;

 private:
  // Whether all of it can be run; opens the context then.
  Result<> set_up(const graph::Network& network, const profile::Condition& condition,
                  const profile::Preparation& preparation);
  FakeGpuEngine(std::shared_ptr<const FakeGpuLibrary> library, device::Device& gpu, Clock& clock);

  std::shared_ptr<const FakeGpuLibrary> library_;
  Clock& clock_;
  profile::EngineFacts facts_;
  std::optional<Bytes> memory_;  // of the GPU
};

}  // namespace ergon::app
