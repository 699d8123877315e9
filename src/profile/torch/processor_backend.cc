#include <unistd.h>

#include "profile/torch/backend.h"

namespace ergon::profile::torch {
namespace {

class ProcessorBackend final : public Backend {
 public:
  c10::Device device() const override { return {c10::kCPU}; }
  Bytes cache() const override {
    constexpr double kUsual = 32 * 1048576.0;
    const long size = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    return Bytes{size > 0 ? static_cast<double>(size) : kUsual};
  }
  bool asynchronous() const override { return false; }
  void finish() override {}
  void release_memory() override {}
  std::unique_ptr<Recording> record(const std::function<void()>&) override { return nullptr; }
};

}  // namespace

std::unique_ptr<Backend> processor_backend() { return std::make_unique<ProcessorBackend>(); }

}  // namespace ergon::profile::torch
