// Repeated work on the processor: iterations, instances, gradients, errors.

#include "profile/torch/work.h"

#include <ATen/ops/ones.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <map>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "profile/plan.h"

namespace ergon::profile::torch {
namespace {

class WorkTest : public testing::Test {
 protected:
  std::unique_ptr<TorchWork> work(const graph::Network& network, graph::Mode mode,
                                  const PrepareOptions& how) {
    const RunCondition condition{2, mode, device::Precision::fp32, Layout::nchw};
    auto program = Program::compile(network, how.content, condition, how.block).value();
    return std::make_unique<TorchWork>(std::move(program), *backend, clock, condition, how);
  }
  // The first step of a type, as a network.
  static graph::Network step_of(const std::string& name, std::string_view kind, graph::Mode mode) {
    const auto network = graph::zoo::build(**graph::zoo::find(name), {64, std::nullopt}).value();
    const auto steps = steps_of(network, {mode, false});
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.type == kind; });
    return network_of(network, *found);
  }

  SystemClock clock;
  std::unique_ptr<Backend> backend = processor_backend();
};

TEST_F(WorkTest, RunsAtLeastTheRequestedIterations) {
  for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
    const auto one = work(step_of("resnet18", "conv", mode), mode, {.block = true});
    for (const std::int64_t wanted : {1, 7, 100}) {
      const auto ran = one->run(wanted).value();
      EXPECT_GE(ran.iterations, wanted);
      EXPECT_LT(ran.iterations, wanted + 32);
      EXPECT_GT(ran.time, Seconds{0});
    }
  }
}

TEST_F(WorkTest, OperationsRotateInstances) {
  EXPECT_GT(work(step_of("resnet18", "conv", graph::Mode::inference), graph::Mode::inference, {.block = true})
                ->instances(),
            1);
  EXPECT_EQ(work(step_of("resnet18", "relu", graph::Mode::inference), graph::Mode::inference, {.block = true})
                ->instances(),
            1);
  const auto whole = graph::zoo::build(**graph::zoo::find("squeezenet1_1"), {64, std::nullopt}).value();
  EXPECT_EQ(work(whole, graph::Mode::inference, {})->instances(), 1);
}

// Counts ATen calls during its lifetime.
class Witness {
 public:
  Witness() : handle_(at::addGlobalCallback(at::RecordFunctionCallback(&Witness::see))) {
    calls_.clear();
    order_.clear();
  }
  ~Witness() { at::removeCallback(handle_); }
  std::int64_t calls(const std::string& name) const { return calls_[name]; }
  // Number of calls of one operator before the first call of another.
  std::int64_t calls_before(const std::string& name, const std::string& other) const {
    const auto end = std::find(order_.begin(), order_.end(), other);
    return std::count(order_.begin(), end, name);
  }

 private:
  static std::unique_ptr<at::ObserverContext> see(const at::RecordFunction& function) {
    ++calls_[function.name()];
    order_.emplace_back(function.name());
    return nullptr;
  }
  inline static thread_local std::map<std::string, std::int64_t> calls_;
  inline static thread_local std::vector<std::string> order_;
  at::CallbackHandle handle_;
};

std::int64_t backward_calls(TorchWork& one, const std::string& name, std::int64_t& iterations) {
  const Witness witness;
  iterations = one.run(5)->iterations;
  return witness.calls(name);
}

TEST_F(WorkTest, RunsOneBackwardPassPerIteration) {
  std::int64_t iterations = 0;
  const auto conv = step_of("resnet18", "conv", graph::Mode::training);
  const std::string back = "aten::convolution_backward";
  EXPECT_EQ(backward_calls(*work(conv, graph::Mode::inference, {.block = true}), back, iterations), 0);
  EXPECT_EQ(backward_calls(*work(conv, graph::Mode::training, {.block = true}), back, iterations),
            iterations);
  EXPECT_GE(iterations, 5);
}

// Accumulating into old gradients would be extra work that training does not do.
TEST_F(WorkTest, GradientsAreResetBetweenIterations) {
  const auto conv = step_of("resnet18", "conv", graph::Mode::training);
  const auto one = work(conv, graph::Mode::training, {.block = true, .input_gradient = true});
  const Witness witness;
  ASSERT_TRUE(one->run(200));
  EXPECT_EQ(witness.calls("aten::add_") + witness.calls("aten::add"), 0);
}

TEST_F(WorkTest, SeveralForwardPassesShareABackwardCall) {
  const auto dense = step_of("resnet18", "dense", graph::Mode::training);
  const auto one = work(dense, graph::Mode::training, {.block = true});
  const Witness witness;
  ASSERT_TRUE(one->run(1));
  EXPECT_EQ(witness.calls_before("aten::linear", "AddmmBackward0"), 32);
}

TEST_F(WorkTest, ComputesInputGradientsOnRequest) {
  std::int64_t iterations = 0;
  const auto relu = step_of("resnet18", "relu", graph::Mode::training);
  const std::string back = "aten::threshold_backward";
  EXPECT_EQ(backward_calls(*work(relu, graph::Mode::training, {.block = true}), back, iterations), 0);
  const auto owing = work(relu, graph::Mode::training, {.block = true, .input_gradient = true});
  EXPECT_EQ(backward_calls(*owing, back, iterations), iterations);
}

TEST_F(WorkTest, EveryStepOfANetworkTrains) {
  for (const char* name : {"mobilenet_v2", "hf/distilbert"}) {
    const auto entry = graph::zoo::find(name).value();
    const bool tokens = std::string_view(name).starts_with("hf/");
    const auto network = graph::zoo::build(*entry, {tokens ? std::nullopt : std::optional<std::int64_t>(32),
                                                    tokens ? std::optional<std::int64_t>(8) : std::nullopt})
                             .value();
    ProfileGrid grid;
    grid.batches = {2};
    grid.modes = {graph::Mode::training};
    grid.precisions = {device::Precision::fp32};
    grid.networks = false;
    const auto items = plan({{name, network, std::nullopt}}, grid).value().items;
    for (const PlanItem& item : items) {
      const auto one =
          work(*item.network, graph::Mode::training, {.block = true, .input_gradient = item.input_gradient});
      const auto ran = one->run(1);
      ASSERT_TRUE(ran) << name << " " << item.subject.name << ": " << ran.error().message;
    }
  }
}

TEST_F(WorkTest, AReluOverwritesItsInputAsInItsNetwork) {
  const auto relu = step_of("resnet18", "relu", graph::Mode::inference);
  auto one = work(relu, graph::Mode::inference, {.block = true});
  const auto input = at::ones({2, 64, 32, 32}).neg();
  const auto outputs = one->outputs_for({input});
  EXPECT_EQ(outputs[0].data_ptr(), input.data_ptr());
  EXPECT_EQ(outputs[0].abs().max().item<float>(), 0);
}

TEST_F(WorkTest, ReplayIsUnsupportedOnAProcessor) {
  EXPECT_THROW(work(step_of("resnet18", "relu", graph::Mode::inference), graph::Mode::inference,
                    {.launch = Launch::replay, .block = true}),
               std::exception);
}

TEST(TorchErrors, AreClassified) {
  EXPECT_EQ(error_of(std::bad_alloc()).kind, Errc::out_of_memory);
  EXPECT_EQ(error_of(std::runtime_error("CUDA out of memory. Tried to allocate 20 GiB")).kind,
            Errc::out_of_memory);
  EXPECT_EQ(error_of(std::runtime_error("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling ...")).kind,
            Errc::out_of_memory);
  EXPECT_EQ(error_of(std::runtime_error("CUDA error: invalid configuration argument")).kind, Errc::io);
  EXPECT_EQ(error_of(std::runtime_error("CUDA error: an illegal memory access was encountered")).kind,
            Errc::device_lost);
  const Error plain = error_of(std::runtime_error("\"conv\" not implemented for 'Half'\nat somewhere"));
  EXPECT_EQ(plain.kind, Errc::unsupported);
  EXPECT_EQ(plain.message, "\"conv\" not implemented for 'Half'");
}

TEST(TorchEngine, CompilesBeforeItRuns) {
  SystemClock clock;
  const auto engine = open_processor(clock).value();
  const auto network = graph::zoo::build(**graph::zoo::find("resnet18"), {64, std::nullopt}).value();
  EXPECT_TRUE(engine->check(network, nullptr, {}));
  const auto half =
      engine->prepare(network, {1, graph::Mode::inference, device::Precision::fp16, Layout::nchw}, {});
  // Debian's libtorch has no 16-bit convolutions on processors; errors are returned, not thrown.
  if (half) {
    const auto ran = (*half)->run(1);
    EXPECT_TRUE(ran || ran.error().kind == Errc::unsupported);
  }
}

}  // namespace
}  // namespace ergon::profile::torch
