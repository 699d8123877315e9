#include "profile/torch/torch_engine.h"

#include <torch/version.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/text.h"
#include "profile/torch/backend.h"
#include "profile/torch/torch_batch_executor.h"
#include "profile/torch/work.h"

namespace ergon::profile::torch {
namespace {

class TorchEngine final : public Engine {
 public:
  TorchEngine(std::unique_ptr<Backend> backend, EngineFacts facts, Clock& clock)
      : backend_(std::move(backend)), facts_(std::move(facts)), clock_(clock) {
    facts_.engine = "libtorch";
    facts_.version = TORCH_VERSION;
    facts_.cache = backend_->cache();
  }

  const EngineFacts& facts() const override { return facts_; }

  Result<> check(const graph::Network& network, const graph::Content* content,
                 const RunCondition& condition) override {
    const auto program = Program::compile(network, content, condition);
    if (!program) return program.error();
    return {};
  }

  Result<std::unique_ptr<PreparedWork>> prepare(const graph::Network& network, const RunCondition& condition,
                                                const PrepareOptions& preparation) override {
    auto program = Program::compile(network, preparation.content, condition, preparation.block);
    if (!program) return program.error();
    try {
      return std::unique_ptr<PreparedWork>(
          std::make_unique<TorchWork>(std::move(*program), *backend_, clock_, condition, preparation));
    } catch (const std::exception& thrown) {
      return not_set_up(thrown);
    }
  }

  Result<std::unique_ptr<BatchExecutor>> open_executor(const graph::Network& network,
                                                       const RunCondition& condition,
                                                       const PrepareOptions& preparation) override {
    try {
      auto service = TorchBatchExecutor::open(network, condition, preparation, *backend_, clock_);
      if (!service) return service.error();
      return std::unique_ptr<BatchExecutor>(std::move(*service));
    } catch (const std::exception& thrown) {
      return not_set_up(thrown);
    }
  }

 private:
  Error not_set_up(const std::exception& thrown) {
    const Error error = error_of(thrown);
    if (error.kind == Errc::out_of_memory) backend_->release_memory();
    return error;
  }

  std::unique_ptr<Backend> backend_;
  EngineFacts facts_;
  Clock& clock_;
};

// The first value of a key in a file of lines "key : value"; empty if there is none.
std::string value_in(const char* path, std::string_view key) {
  const auto text = read_file(path);
  if (!text) return "";
  const auto begin = text->find(key);
  const auto colon = begin == std::string::npos ? begin : text->find(':', begin);
  if (colon == std::string::npos) return "";
  return std::string(trim(std::string_view(*text).substr(colon + 1, text->find('\n', colon) - colon - 1)));
}

std::string processor_name() {
  const std::string name = value_in("/proc/cpuinfo", "model name");
  return name.empty() ? "processor" : name;
}

std::string machine_id() { return read_file("/etc/machine-id").value_or(""); }

}  // namespace

Result<std::unique_ptr<Engine>> open_processor(Clock& clock) {
  EngineFacts facts;
  facts.target = "cpu";
  facts.device = processor_name();
  facts.uuid = "CPU-" + digest(processor_name() + machine_id());
  return std::unique_ptr<Engine>(std::make_unique<TorchEngine>(processor_backend(), std::move(facts), clock));
}

Result<std::unique_ptr<Engine>> open_gpu(const CudaDevice& gpu, Clock& clock) {
  auto backend = gpu_backend(gpu);
  if (!backend) return backend.error();
  EngineFacts facts;
  facts.target = "cuda:" + std::to_string(gpu.index);
  facts.uuid = gpu.uuid;
  facts.device = gpu.name;
  return std::unique_ptr<Engine>(std::make_unique<TorchEngine>(std::move(*backend), std::move(facts), clock));
}

}  // namespace ergon::profile::torch
