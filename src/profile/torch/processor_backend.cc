#include <unistd.h>

#include "base/si_prefixes.h"
#include "profile/torch/backend.h"

namespace ergon::profile::torch {
namespace {

// All calls are synchronous.
class ReachedMark final : public DeviceEvent {
 public:
  bool reached() override { return true; }
};

class ProcessorBackend final : public Backend {
 public:
  c10::Device device() const override { return {c10::kCPU}; }
  Bytes cache() const override {
    constexpr double kDefaultCache = 32 * kMebi;
    const long size = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    return Bytes{size > 0 ? static_cast<double>(size) : kDefaultCache};
  }
  bool asynchronous() const override { return false; }
  void finish() override {}
  std::unique_ptr<DeviceEvent> mark() override { return std::make_unique<ReachedMark>(); }
  at::Tensor staged(const at::Tensor& tensor) override { return tensor.clone(); }
  void fetch(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) override {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
  }
  void release_memory() override {}
  std::unique_ptr<Recording> record(const std::function<void()>&, const Recording*) override {
    return nullptr;
  }
};

}  // namespace

std::unique_ptr<Backend> processor_backend() { return std::make_unique<ProcessorBackend>(); }

}  // namespace ergon::profile::torch
