// Batches of changing size, on the processor.

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <map>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "profile/torch/torch_batch_executor.h"

namespace ergon::profile::torch {
namespace {

// Largest difference relative to the largest value.
double difference(const at::Tensor& a, const at::Tensor& b) {
  return a.sub(b).abs().max().item().toDouble() / b.abs().max().item().toDouble();
}

class BatchExecutorTest : public testing::Test {
 protected:
  std::unique_ptr<TorchBatchExecutor> serve(const std::string& name, std::int64_t most,
                                            Layout layout = Layout::nchw) {
    auto network = graph::zoo::build(**graph::zoo::find(name), {64, std::nullopt}).value();
    const RunCondition condition{most, graph::Mode::inference, device::Precision::fp32, layout};
    return TorchBatchExecutor::open(std::move(network), condition, {}, *backend, clock).value();
  }

  SystemClock clock;
  std::unique_ptr<Backend> backend = processor_backend();
};

TEST_F(BatchExecutorTest, RunsBatchesOfAnySize) {
  const auto service = serve("resnet18", 8);
  std::vector<CompletedBatch> all;
  const auto take = [&](const Result<std::vector<CompletedBatch>>& answers) {
    ASSERT_TRUE(answers) << answers.error().message;
    all.insert(all.end(), answers->begin(), answers->end());
  };
  for (const std::int64_t batch : {8, 1, 3, 8, 2}) take(service->submit(batch));
  EXPECT_LT(all.size(), 5u);  // one is still running
  take(service->finish());
  ASSERT_EQ(all.size(), 5u);
  const std::int64_t batches[] = {8, 1, 3, 8, 2};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].batch, batches[i]);
    EXPECT_GE(all[i].time(), Seconds{0});
    if (i == 0) continue;
    EXPECT_GE(all[i].began, all[i - 1].done);
  }
  EXPECT_TRUE(service->finish().value().empty());
}

// A smaller batch is the first rows of the larger one with the same weights.
TEST_F(BatchExecutorTest, SmallerBatchesGiveTheSameOutputs) {
  for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
    const auto service = serve("resnet18", 6, layout);
    const auto whole = service->outputs_for(6).value();
    for (const std::int64_t batch : {1, 4, 6}) {
      const auto part = service->outputs_for(batch).value();
      ASSERT_EQ(part.size(), whole.size());
      ASSERT_EQ(part[0].size(0), batch);
      EXPECT_LT(difference(part[0], whole[0].narrow(0, 0, batch)), 1e-4) << batch;
      EXPECT_GT(difference(part[0], whole[0].narrow(0, 6 - batch, batch)), batch == 6 ? -1 : 1e-3) << batch;
    }
  }
}

// Weights and inputs are not recreated: no random numbers after setup, and no tensor as large as the weights.
TEST_F(BatchExecutorTest, AnotherBatchAllocatesNoWeights) {
  const auto service = serve("resnet18", 4);
  (void)service->submit(4).value();
  (void)service->finish().value();
  static int made;
  made = 0;
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
        const std::string_view name = call.name();
        made += name == "aten::randn" || name == "aten::randint" || name == "aten::normal_";
        return nullptr;
      }));
  for (const std::int64_t batch : {1, 3, 2, 4}) (void)service->submit(batch).value();
  (void)service->finish().value();
  at::removeCallback(handle);
  EXPECT_EQ(made, 0);
}

TEST_F(BatchExecutorTest, ReplayIsUnsupportedOnAProcessor) {
  auto network = graph::zoo::build(**graph::zoo::find("resnet18"), {64, std::nullopt}).value();
  const auto service = TorchBatchExecutor::open(std::move(network), {2, graph::Mode::inference},
                                                {.launch = Launch::replay}, *backend, clock);
  ASSERT_FALSE(service);
  EXPECT_EQ(service.error().kind, Errc::unsupported);
}

TEST_F(BatchExecutorTest, RunsLanguageNetworks) {
  auto network = graph::zoo::build(**graph::zoo::find("gpt2"), {std::nullopt, 16}).value();
  const RunCondition condition{3, graph::Mode::inference, device::Precision::fp32, Layout::nchw};
  const auto service = TorchBatchExecutor::open(std::move(network), condition, {}, *backend, clock);
  ASSERT_TRUE(service) << service.error().message;
  const auto whole = (*service)->outputs_for(3).value(), part = (*service)->outputs_for(2).value();
  EXPECT_LT(difference(part[0], whole[0].narrow(0, 0, 2)), 1e-3);
}

}  // namespace
}  // namespace ergon::profile::torch
