#include "profile/test_bench/fake_gpu_engine.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fake-nvml/fake_nvml.h>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "base/version.h"
#include "device/nvml/library.h"
#include "device/twin/estimate.h"
#include "device/twin/kernel.h"
#include "graph/zoo/zoo.h"

namespace ergon::profile {

// The control functions of fake-nvml for one GPU. The device of the same library keeps NVML initialized.
struct FakeGpuLibrary {
  using Loaded = std::unique_ptr<void, int (*)(void*)>;

  explicit FakeGpuLibrary(Loaded handle) : loaded(std::move(handle)) {
    find(last_error, "ergon_fake_nvml_last_error");
    find(open_context, "ergon_fake_nvml_open_context");
    find(close_context, "ergon_fake_nvml_close_context");
    find(run, "ergon_fake_nvml_run");
    find(stop, "ergon_fake_nvml_stop");
    find(advance, "ergon_fake_nvml_advance");
    find(truth, "ergon_fake_nvml_truth");
    complete = last_error && open_context && close_context && run && stop && advance && truth;
    // advance() succeeds only with manual time.
    manual = complete && advance(0) == 0;
  }

  template <typename Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(::dlsym(loaded.get(), name));
  }

  Result<> checked(int code, std::string_view action) const {
    if (code == 0) return {};
    const std::string why = last_error();
    return fail(device::nvml::errc_of(static_cast<device::nvml::Return>(code)), "{}: {}", action,
                why.empty() ? fmt::format("NVML error {}", code) : why);
  }
  Result<ErgonFakeNvmlTruth> now() const {
    ErgonFakeNvmlTruth now{};
    if (auto done = checked(truth(gpu, &now), "reading the progress"); !done) return done.error();
    return now;
  }

  Loaded loaded;
  decltype(ergon_fake_nvml_last_error)* last_error = nullptr;
  decltype(ergon_fake_nvml_open_context)* open_context = nullptr;
  decltype(ergon_fake_nvml_close_context)* close_context = nullptr;
  decltype(ergon_fake_nvml_run)* run = nullptr;
  decltype(ergon_fake_nvml_stop)* stop = nullptr;
  decltype(ergon_fake_nvml_advance)* advance = nullptr;
  decltype(ergon_fake_nvml_truth)* truth = nullptr;
  bool complete = false, manual = false;
  unsigned gpu = 0;
};

namespace {

// Checks that the network equals the zoo's network of the same name.
Result<> check_is_zoo_network(const graph::Network& network) {
  const auto entry = graph::zoo::find(fmt::format("{}/{}", network.family, network.name));
  if (!entry) return fail(Errc::unsupported, "networks that are not in the zoo");
  const auto original = graph::zoo::build(**entry);
  const auto same = [](const graph::Value& a, const graph::Value& b) { return a.shape == b.shape; };
  if (!original || original->nodes.size() != network.nodes.size() ||
      !std::equal(original->values.begin(), original->values.end(), network.values.begin(),
                  network.values.end(), same)) {
    return fail(Errc::unsupported, "zoo networks with non-default inputs");
  }
  return {};
}

// Runs a zoo network by name.
class FakeGpuWork final : public PreparedWork {
 public:
  FakeGpuWork(std::shared_ptr<const FakeGpuLibrary> library, Clock& clock, const graph::Network& network,
              const RunCondition& condition)
      : library_(std::move(library)),
        clock_(clock),
        network_(network.family + "/" + network.name),
        precision_(device::name_of(condition.precision)),
        mode_(name_of(condition.mode)),
        batch_(condition.batch) {}

  Result<TimedRun> run(std::int64_t iterations) override {
    const auto before = library_->now();
    if (!before) return before.error();
    const ErgonFakeNvmlLoad load{network_.c_str(), batch_, precision_.c_str(), mode_.c_str(), iterations};
    if (auto begun = library_->checked(library_->run(library_->gpu, &load), "starting work on the GPU");
        !begun)
      return begun.error();
    auto ran = wait(before->iterations, iterations);
    const auto stopped = library_->checked(library_->stop(library_->gpu), "stopping work on the GPU");
    if (ran && !stopped) return stopped.error();
    return ran;
  }
  Result<std::optional<Seconds>> host_time() override { return std::optional<Seconds>(); }
  std::int64_t instances() const override { return 1; }

 private:
  // The library does not report when the last iteration ends. The time per iteration follows from the first
  // and the last reading of the progress while the work runs.
  Result<TimedRun> wait(double before, std::int64_t iterations) {
    const auto target = static_cast<double>(iterations);
    const auto first = library_->now();
    if (!first) return first.error();
    ErgonFakeNvmlTruth last = *first;
    Instant moved = clock_.now();
    for (;;) {
      const auto now = library_->now();
      if (!now) return now.error();
      constexpr double kClose = 1e-6;
      const double left = target - (now->iterations - before);
      if (left < kClose) return ran(iterations, *first, last, *now);
      if (now->iterations > last.iterations) {
        last = *now;
        moved = clock_.now();
      } else if (constexpr Seconds kTimeout{10}; clock_.now() - moved > kTimeout) {
        return fail(Errc::io, "no progress for {}", to_text(kTimeout));
      }
      if (auto passed = pass(rest(*first, last, left)); !passed) return passed.error();
    }
  }

  // Estimated time of the remaining iterations.
  static Seconds rest(const ErgonFakeNvmlTruth& first, const ErgonFakeNvmlTruth& last, double left) {
    constexpr Seconds kShort{1e-4};
    const double done = last.iterations - first.iterations;
    return done > 0 ? Seconds{left * (last.seconds - first.seconds) / done} : kShort;
  }

  Result<> pass(Seconds time) {
    constexpr Seconds kMin{1e-4}, kMax{5e-3};
    if (library_->manual) {
      return library_->checked(library_->advance(std::max(time, kMin).si()), "advancing time");
    }
    clock_.sleep_until(clock_.now() + std::clamp(time, kMin, kMax));
    return {};
  }

  static TimedRun ran(std::int64_t iterations, const ErgonFakeNvmlTruth& first,
                      const ErgonFakeNvmlTruth& last, const ErgonFakeNvmlTruth& end) {
    const double done = last.iterations - first.iterations;
    if (!(done > 0)) return {iterations, Seconds{end.seconds - first.seconds}};
    return {iterations, Seconds{static_cast<double>(iterations) * (last.seconds - first.seconds) / done}};
  }

  std::shared_ptr<const FakeGpuLibrary> library_;
  Clock& clock_;
  std::string network_, precision_, mode_;
  std::int64_t batch_;
};

// Runs batches continuously, with the size that was submitted last.
class FakeGpuBatchExecutor final : public BatchExecutor {
 public:
  FakeGpuBatchExecutor(std::shared_ptr<const FakeGpuLibrary> library, Clock& clock,
                       const graph::Network& network, const RunCondition& condition)
      : library_(std::move(library)),
        clock_(clock),
        network_(network.family + "/" + network.name),
        precision_(device::name_of(condition.precision)) {}
  ~FakeGpuBatchExecutor() override { library_->stop(library_->gpu); }

  Result<std::vector<CompletedBatch>> submit(std::int64_t batch) override {
    if (running_ != batch) {
      const ErgonFakeNvmlLoad load{network_.c_str(), batch, precision_.c_str(), "inference", 0};
      if (auto begun = library_->checked(library_->run(library_->gpu, &load), "starting work on the GPU");
          !begun)
        return begun.error();
      const auto now = library_->now();
      if (!now) return now.error();
      running_ = batch;
      ended_ = clock_.now();
      iterations_ = now->iterations;
    }
    return wait(batch);
  }
  Result<std::vector<CompletedBatch>> finish() override {
    running_.reset();
    if (auto stopped = library_->checked(library_->stop(library_->gpu), "stopping work on the GPU"); !stopped)
      return stopped.error();
    return std::vector<CompletedBatch>{};
  }

 private:
  Result<std::vector<CompletedBatch>> wait(std::int64_t batch) {
    constexpr Seconds kPollInterval{2e-4}, kTimeout{10};
    const Instant began = ended_;
    iterations_ += 1;
    for (;;) {
      const auto now = library_->now();
      if (!now) return now.error();
      ended_ = clock_.now();
      if (now->iterations >= iterations_) return std::vector<CompletedBatch>{{batch, began, ended_}};
      if (ended_ - began > kTimeout)
        return fail(Errc::device_lost, "a batch of {} has not finished within {}", batch, to_text(kTimeout));
      if (library_->manual) {
        if (auto passed = library_->checked(library_->advance(kPollInterval.si()), "advancing time"); !passed)
          return passed.error();
      } else {
        clock_.sleep_until(ended_ + kPollInterval);
      }
    }
  }

  std::shared_ptr<const FakeGpuLibrary> library_;
  Clock& clock_;
  std::string network_, precision_;
  std::optional<std::int64_t> running_;
  double iterations_ = 0;  // total, at the end of the last batch
  Instant ended_;
};

}  // namespace

Result<std::unique_ptr<FakeGpuEngine>> FakeGpuEngine::open(device::Device& gpu, Clock& clock) {
  const std::string& id = gpu.identity().id;
  const auto number = id.starts_with("gpu") ? parse_int64(id.substr(3)) : std::nullopt;
  if (!gpu.simulated() || !number)
    return fail(Errc::unsupported, "{} is not a GPU of fake-nvml", gpu.identity().id);
  const char* set = std::getenv("ERGON_NVML");
  const char* path = set != nullptr && *set != '\0' ? set : "libnvidia-ml.so.1";
  FakeGpuLibrary::Loaded loaded(::dlopen(path, RTLD_NOW | RTLD_LOCAL), &::dlclose);
  if (!loaded) return fail(Errc::not_found, "cannot load fake-nvml from {}", path);
  auto library = std::make_shared<FakeGpuLibrary>(std::move(loaded));
  if (!library->complete)
    return fail(Errc::unsupported, "{} does not have the control functions of fake-nvml", path);
  library->gpu = static_cast<unsigned>(*number);
  return std::unique_ptr<FakeGpuEngine>(new FakeGpuEngine(std::move(library), gpu, clock));
}

FakeGpuEngine::FakeGpuEngine(std::shared_ptr<const FakeGpuLibrary> library, device::Device& gpu, Clock& clock)
    : library_(std::move(library)), clock_(clock) {
  facts_.engine = "fake-nvml";
  facts_.version = build_facts().version;
  facts_.target = gpu.identity().id;
  facts_.device = gpu.identity().name;
  facts_.uuid = gpu.identity().uuid;
  facts_.simulated = true;
  if (const auto memory = gpu.memory()) memory_ = memory->total;
}

FakeGpuEngine::~FakeGpuEngine() { library_->close_context(library_->gpu); }

Result<> FakeGpuEngine::check(const graph::Network& network, const graph::Content* content,
                              const RunCondition&) {
  if (content != nullptr) return fail(Errc::unsupported, "networks with stored weights");
  return check_is_zoo_network(network);
}

Result<> FakeGpuEngine::set_up(const graph::Network& network, const RunCondition& condition,
                               const PrepareOptions& preparation) {
  const auto unsupported = [](std::string_view what) {
    return fail(Errc::unsupported, "GPUs of fake-nvml run complete zoo networks, not {}", what);
  };
  if (preparation.block) return unsupported("single operations");
  if (preparation.launch == Launch::replay) return unsupported("--replay");
  if (auto fine = check(network, preparation.content, condition); !fine)
    return unsupported(fine.error().message);
  const auto workload = device::workload_of(network, condition.batch, condition.mode, condition.precision);
  if (!workload) return workload.error();
  if (const auto memory = workload->memory() + device::kCudaContext; memory_ && memory > *memory_) {
    return fail(Errc::out_of_memory, "not enough memory: {} needed, {} available", to_text(memory),
                to_text(*memory_));
  }
  return library_->checked(library_->open_context(library_->gpu), "opening a context");
}

Result<std::unique_ptr<PreparedWork>> FakeGpuEngine::prepare(const graph::Network& network,
                                                             const RunCondition& condition,
                                                             const PrepareOptions& preparation) {
  if (auto ready = set_up(network, condition, preparation); !ready) return ready.error();
  return std::unique_ptr<PreparedWork>(std::make_unique<FakeGpuWork>(library_, clock_, network, condition));
}

Result<std::unique_ptr<BatchExecutor>> FakeGpuEngine::open_executor(const graph::Network& network,
                                                                    const RunCondition& condition,
                                                                    const PrepareOptions& preparation) {
  if (auto ready = set_up(network, condition, preparation); !ready) return ready.error();
  return std::unique_ptr<BatchExecutor>(
      std::make_unique<FakeGpuBatchExecutor>(library_, clock_, network, condition));
}

}  // namespace ergon::profile
