#include "predict/estimate/task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "calibrate/torch_operation.h"
#include "device/twin/catalog.h"
#include "graph/builder.h"
#include "graph/idioms/idioms.h"
#include "predict/estimate/some_iterations.h"
#include "predict/estimate/task_estimate.h"
#include "profile/plan.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const std::vector<std::string> kZooNetworks{"alexnet",   "resnet50",        "mobilenet_v2", "densenet121",
                                            "googlenet", "efficientnet_b0", "vit_b_16",     "gpt2"};

std::map<std::string, std::int64_t> composition(const std::string& name, const WorkloadConfig& config) {
  profile::ProfileGrid grid;
  grid.batches = {config.batch};
  grid.modes = {config.mode};
  grid.precisions = {config.precision};
  const auto made = profile::plan({{name, test::network_named(name), std::nullopt}}, grid).value();
  std::map<std::string, std::int64_t> counts;
  for (const auto& part : made.compositions.at(0).parts) counts[part.operation] += part.count;
  return counts;
}

// Tasks are the operations that `ergon profile` measures.
TEST(IterationOf, HasTheOperationsOfAProfilePlan) {
  for (const std::string& name : kZooNetworks) {
    for (const WorkloadConfig& config : {WorkloadConfig{1, Mode::inference, device::Precision::tf32},
                                         WorkloadConfig{16, Mode::training, device::Precision::bf16}}) {
      const auto expected = composition(name, config);
      std::map<std::string, std::int64_t> found;
      for (const Task& task : test::iteration_named(name, config).tasks) {
        EXPECT_TRUE(found.emplace(task.id, std::llround(task.count)).second) << "twice: " << task.kind;
      }
      EXPECT_EQ(found, expected) << name;
    }
  }
}

TEST(IterationOf, HasTheMemoryOfItsWorkload) {
  for (const std::string& name : kZooNetworks) {
    const WorkloadConfig config{8, Mode::training, device::Precision::tf32};
    const Iteration iteration = test::iteration_named(name, config);
    const auto work =
        device::workload_of(test::network_named(name), config.batch, config.mode, config.precision).value();
    EXPECT_EQ(iteration.weights, work.weights);
    EXPECT_EQ(iteration.activations, work.activations);
    EXPECT_EQ(iteration.network, test::network_named(name).name);
    EXPECT_EQ(iteration.config, config);
  }
}

struct Totals {
  double flops = 0, traffic = 0;
};

void add(Totals& totals, const std::vector<device::Kernel>& kernels, double count) {
  for (const device::Kernel& kernel : kernels) {
    totals.flops += kernel.flops * count;
    totals.traffic += kernel.traffic.si() * count;
  }
}

// Except for dropout, which a workload ignores, and the unfused GELU of transformers: nine times the traffic.
TEST(IterationOf, HasTheArithmeticOfItsWorkload) {
  for (const std::string& name : kZooNetworks) {
    for (const Mode mode : {Mode::inference, Mode::training}) {
      const Iteration iteration = test::iteration_named(name, {4, mode, device::Precision::fp32});
      const auto work =
          device::workload_of(test::network_named(name), 4, mode, device::Precision::fp32).value();
      Totals tasks, operations;
      for (const Task& task : iteration.tasks) {
        if (task.kind == "dropout") continue;
        Totals own;
        add(own, task.forward, task.count);
        add(own, task.backward, task.count);
        tasks.flops += own.flops;
        tasks.traffic += task.kind == "new_gelu" ? own.traffic / 9 : own.traffic;
      }
      for (const device::Operation& operation : work.operations) {
        if (operation.kind == "dropout") continue;
        add(operations, operation.forward, static_cast<double>(operation.count));
        add(operations, operation.backward, static_cast<double>(operation.count));
      }
      EXPECT_NEAR(tasks.flops / operations.flops, 1, 1e-6) << name;
      EXPECT_NEAR(tasks.traffic / operations.traffic, 1, 1e-6) << name;
    }
  }
}

TEST(IterationOf, InferenceHasNoBackwardPass) {
  for (const Task& task : test::iteration_named("resnet50", {4, Mode::inference, {}}).tasks)
    EXPECT_TRUE(task.backward.empty());
  double backward = 0;
  for (const Task& task : test::iteration_named("resnet50", {4, Mode::training, {}}).tasks)
    backward += static_cast<double>(task.backward.size());
  EXPECT_GT(backward, 20);
}

TEST(IterationOf, OnlyLayerNormsCountRows) {
  const Iteration iteration = test::iteration_named("swin_t", {4, Mode::training, device::Precision::bf16});
  std::set<double> rows;
  for (const Task& task : iteration.tasks) {
    for (const auto* kernels : {&task.forward, &task.backward}) {
      for (const device::Kernel& kernel : *kernels) {
        if (task.kind == "layer_norm")
          rows.insert(kernel.rows);
        else
          EXPECT_EQ(kernel.rows, 0) << task.kind;
      }
    }
  }
  EXPECT_EQ(rows, (std::set<double>{4 * 7 * 7, 4 * 14 * 14, 4 * 28 * 28, 4 * 56 * 56}));
}

double places_of(const Task& task) {
  double places = 0;
  for (const device::Kernel& kernel : task.forward) places += kernel.broadcast_indices;
  return places;
}

// Squeeze-and-excitation gates and biases are broadcast; sums of equal shapes are not.
TEST(IterationOf, BroadcastsCountTheirElements) {
  const Iteration gates =
      test::iteration_named("efficientnet_b0", {4, Mode::training, device::Precision::bf16});
  for (const Task& task : gates.tasks) {
    const bool counts = task.kind == "multiply" || task.description.find("bias=yes") != std::string::npos;
    if (task.kind == "dense") continue;
    EXPECT_EQ(places_of(task), counts ? task.geometry.output_elements : 0) << task.kind << task.description;
  }
  const Iteration scales =
      test::iteration_named("convnext_tiny", {4, Mode::inference, device::Precision::bf16});
  for (const Task& task : scales.tasks) {
    if (task.kind == "multiply" || task.kind == "dense") {
      EXPECT_EQ(places_of(task), task.kind == "multiply" ? task.geometry.output_elements : 0);
    }
  }
  for (const Task& task : test::iteration_named("convnext_tiny", {4, Mode::inference, {}}).tasks)
    EXPECT_EQ(places_of(task), 0) << task.kind;
}

TEST(IterationOf, BroadcastsTakeLonger) {
  const auto gpu = device::find_device("h200").value();
  const auto sum_with = [&](const graph::Shape& other, device::Precision precision) {
    graph::Builder build("onnx", "sum");
    const auto x = build.input("x", "Input", graph::Shape::image_of(384, 56, 56));
    const auto y = build.input("y", "Input", other);
    const auto sum = build.add("add", "Add", graph::Arithmetic{graph::Combine::add}, {x, y});
    const Iteration iteration =
        iteration_of(build.finish({sum}).value(), {128, Mode::inference, precision}).value();
    const TaskEstimate estimate(iteration.tasks.at(0), precision, gpu);
    return estimate.at(gpu.core.max, gpu).gpu.si();
  };
  const double elements = 128.0 * 384 * 56 * 56;
  const auto stretched = graph::Shape::image_of(384, 1, 1), whole = graph::Shape::image_of(384, 56, 56);
  // ConvNeXt V2 on an H200: 366 and 740 elements per nanosecond
  // (data/reference/h200/families_operators.csv).
  EXPECT_NEAR(elements / sum_with(stretched, device::Precision::bf16) / 1e9, 366, 25);
  EXPECT_GT(elements / sum_with(whole, device::Precision::bf16) / 1e9, 550);
}

// One thread block per group of a sample: a few large groups leave most of the GPU idle.
TEST(IterationOf, GroupNormsWithFewGroupsTakeLonger) {
  const auto gpu = device::find_device("h200").value();
  const auto time_of = [&](std::int64_t groups, std::int64_t batch = 32) {
    graph::Builder build("onnx", "norm");
    const auto x = build.input("x", "Input", graph::Shape::image_of(64, 56, 56));
    const auto y = build.add("norm", "GroupNorm", graph::GroupNorm{groups}, {x});
    const Iteration iteration =
        iteration_of(build.finish({y}).value(), {batch, Mode::inference, device::Precision::bf16}).value();
    EXPECT_EQ(iteration.tasks.at(0).forward.at(0).rows, static_cast<double>(batch * groups));
    EXPECT_EQ(iteration.tasks.at(0).geometry.groups, static_cast<double>(groups));
    return TaskEstimate(iteration.tasks.at(0), device::Precision::bf16, gpu).at(gpu.core.max, gpu).gpu.si();
  };
  EXPECT_GT(time_of(1), 3 * time_of(32));
  EXPECT_NEAR(time_of(1), 100e-6, 30e-6);
  // Several blocks share a multiprocessor, so more groups than multiprocessors run concurrently.
  EXPECT_LT(time_of(1, 140), 1.7 * time_of(1));
}

TEST(IterationOf, InstanceNormsHaveOneRowPerChannel) {
  const auto rows_of = [](const graph::Shape& shape) {
    graph::Builder build("onnx", "norm");
    const auto x = build.input("x", "Input", shape);
    const auto y = build.add("norm", "InstanceNorm", graph::GroupNorm{0}, {x});
    const Iteration iteration = iteration_of(build.finish({y}).value(), {4, Mode::inference, {}}).value();
    EXPECT_EQ(iteration.tasks.at(0).forward.at(0).elements_per_row, 4096);
    return iteration.tasks.at(0).forward.at(0).rows;
  };
  EXPECT_EQ(rows_of(graph::Shape::batch_of({32, 4096})), 4 * 32);
  EXPECT_EQ(rows_of(graph::Shape::image_of(32, 64, 64)), 4 * 32);
  EXPECT_EQ(rows_of(graph::Shape::batch_of({32, 16, 16, 16})), 4 * 32);
}

TEST(IterationOf, UnalignedRowsNeedASeparateBiasKernelIn16Bits) {
  const auto kernels = [&](std::int64_t from, std::int64_t to, bool bias, device::Precision precision) {
    graph::Builder build("onnx", "dense");
    const auto x = build.input("x", "Input", graph::Shape::batch_of({512, from}));
    const auto y = build.add("dense", "Gemm", graph::Dense{to, bias}, {x});
    const Iteration iteration =
        iteration_of(build.finish({y}).value(), {4, Mode::inference, precision}).value();
    return iteration.tasks.at(0).forward;
  };
  const auto half = device::Precision::bf16;
  ASSERT_EQ(kernels(196, 256, true, half).size(), 2U);
  EXPECT_EQ(kernels(196, 256, true, half)[1].broadcast_indices, 4.0 * 512 * 256);
  EXPECT_EQ(kernels(196, 256, false, half).size(), 1U);
  EXPECT_EQ(kernels(256, 196, true, half).size(), 1U);
  EXPECT_EQ(kernels(196, 256, true, device::Precision::tf32).size(), 1U);
}

TEST(IterationOf, UnalignedRowsAreSlowerIn16Bits) {
  const auto gpu = device::find_device("h200").value();
  const auto time_of = [&](std::int64_t from, std::int64_t to, device::Precision precision) {
    graph::Builder build("onnx", "dense");
    const auto x = build.input("x", "Input", graph::Shape::batch_of({512, from}));
    const auto y = build.add("dense", "Gemm", graph::Dense{to, true}, {x});
    const Iteration iteration =
        iteration_of(build.finish({y}).value(), {128, Mode::inference, precision}).value();
    EXPECT_EQ(iteration.tasks.at(0).forward.at(0).unaligned, from % 8 > 0 || to % 8 > 0);
    return TaskEstimate(iteration.tasks.at(0), precision, gpu).at(gpu.core.max, gpu).gpu.si();
  };
  const auto half = device::Precision::bf16, full = device::Precision::tf32;
  EXPECT_GT(time_of(1020, 1024, half), 1.5 * time_of(1024, 1024, half));
  EXPECT_GT(time_of(1024, 1020, half), 1.5 * time_of(1024, 1024, half));
  EXPECT_NEAR(time_of(1020, 1024, full) / time_of(1024, 1024, full), 1, 0.05);
}

TEST(LaunchHosts, AreFoundByNameIgnoringCase) {
  for (const LaunchHost host : kLaunchHosts) EXPECT_EQ(launch_host_named(name_of(host)).value(), host);
  EXPECT_EQ(launch_host_named("Python").value(), LaunchHost::python);
  const auto unknown = launch_host_named("pyton");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Errc::unknown_name);
  EXPECT_NE(unknown.error().message.find("did you mean \"python\"?"), std::string::npos);
}

TEST(LaunchHosts, PythonHostsAreSimilar) {
  EXPECT_EQ(similarity(LaunchHost::transformers, LaunchHost::transformers), 2);
  EXPECT_EQ(similarity(LaunchHost::transformers, LaunchHost::python), 1);
  EXPECT_EQ(similarity(LaunchHost::transformers, LaunchHost::native), 0);
  EXPECT_EQ(similarity(LaunchHost::native, LaunchHost::python), 0);
}

TEST(LaunchHosts, TheDefaultDependsOnTheNetworksModules) {
  EXPECT_EQ(default_launch_host(test::network_named("bert_base")), LaunchHost::transformers);
  EXPECT_EQ(default_launch_host(test::network_named("vit_b_16")), LaunchHost::python);
}

TEST(IterationOf, RejectsInvalidBatches) {
  for (const std::int64_t batch : {std::int64_t{0}, std::int64_t{-3}, std::int64_t{1} << 62})
    EXPECT_FALSE(iteration_of(test::network_named("resnet18"), {batch, Mode::inference, {}})) << batch;
}

const Task& task_called(const Iteration& iteration, std::string_view kind) {
  return *std::find_if(iteration.tasks.begin(), iteration.tasks.end(),
                       [&](const Task& task) { return task.kind == kind; });
}

TEST(Geometry, OfAConvolution) {
  const Iteration iteration = test::iteration_named("resnet50", {32, Mode::inference, {}});
  const Geometry& first = task_called(iteration, "conv").geometry;
  EXPECT_EQ(first.batch, 32);
  EXPECT_EQ(first.channels, 3);
  EXPECT_EQ(first.height, 224);
  EXPECT_EQ(first.width, 224);
  EXPECT_EQ(first.out_channels, 64);
  EXPECT_EQ(first.kernel, 7);
  EXPECT_EQ(first.stride, 2);
  EXPECT_EQ(first.groups, 1);
  EXPECT_EQ(first.inputs, 1);
  EXPECT_EQ(first.input_elements, 32 * 3 * 224 * 224);
  EXPECT_EQ(first.output_elements, 32 * 64 * 112 * 112);
  EXPECT_EQ(first.weights, 64 * 3 * 7 * 7);
}

// A window of 1 x 7 or 7 x 1 differs from 7 x 7 and from 1 x 1.
TEST(Geometry, OfAnOblongWindow) {
  const Iteration iteration = test::iteration_named("inception_v3", {2});
  int oblong = 0;
  for (const Task& task : iteration.tasks) {
    if (task.description.find("kernel=1x7") == std::string::npos &&
        task.description.find("kernel=7x1") == std::string::npos)
      continue;
    EXPECT_NEAR(task.geometry.kernel, std::sqrt(7.0), 1e-12) << task.description;
    ++oblong;
  }
  EXPECT_GT(oblong, 4);
}

TEST(Geometry, OfADenseLayerAndASum) {
  const Iteration iteration = test::iteration_named("resnet50", {32, Mode::inference, {}});
  const Geometry& dense = task_called(iteration, "dense").geometry;
  EXPECT_EQ(dense.channels, 2048);
  EXPECT_EQ(dense.out_channels, 1000);
  EXPECT_EQ(dense.weights, 2048 * 1000 + 1000);
  EXPECT_EQ(dense.kernel, 0);
  const Geometry& sum = task_called(iteration, "add").geometry;
  EXPECT_EQ(sum.inputs, 2);
  EXPECT_EQ(sum.input_elements, 2 * sum.output_elements);
}

// The number of rows does not depend on the dimensions they are spread over.
TEST(Geometry, OfFlattenedRows) {
  const auto dense_on = [](const graph::Shape& shape) {
    graph::Builder build("onnx", "rows");
    const auto x = build.input("x", "Input", shape);
    const auto network = build.finish({build.add("dense", "MatMul", graph::Dense{64, true}, {x})}).value();
    return iteration_of(network, {32, Mode::inference, {}}).value().tasks.at(0).geometry;
  };
  const Geometry deep = dense_on(graph::Shape::batch_of({128, 48}));
  for (const graph::Shape& shape : {graph::Shape{{128, true}, {48}}, graph::Shape::batch_of({8, 16, 48}),
                                    graph::Shape{{128}, graph::Dim::batch(), {48}}}) {
    const Geometry flat = dense_on(shape);
    EXPECT_EQ(flat.height, deep.height);
    EXPECT_EQ(flat.channels, deep.channels);
    EXPECT_EQ(flat.batch, deep.batch);
  }
  EXPECT_EQ(deep.height, 128);
}

// Scaled dot-product attention as exporters write it: scaled queries and keys, a mask, no guard.
TEST(IterationOf, FusedAttentionOfAFileIsOneTask) {
  graph::Builder build("onnx", "attention");
  const auto put = [&](graph::Operation operation, std::vector<graph::Tensor> inputs) {
    return build.add("layer", "Node", std::move(operation), std::move(inputs));
  };
  const graph::Arithmetic scale{graph::Combine::multiply, std::nullopt, true};
  const auto x = build.input("x", "Input", graph::Shape{graph::Dim::batch(), {12}, {128}, {64}});
  const auto queries = put(scale, {x});
  const auto keys = put(scale, {put(graph::Transpose{{0, 1, 3, 2}}, {x})});
  const auto scores = put(graph::MatrixProduct{}, {queries, keys});
  const graph::Shape mask{{128}, {128}};
  const auto masked = put(graph::Arithmetic{graph::Combine::add, mask}, {scores});
  const auto network =
      build.finish({put(graph::MatrixProduct{}, {put(graph::Softmax{-1}, {masked}), x})}).value();
  const WorkloadConfig config{32, Mode::inference, device::Precision::bf16};
  EXPECT_GT(iteration_of(network, config).value().tasks.size(), 3U);
  const Iteration iteration = iteration_of(graph::fuse_idioms(network), config).value();
  ASSERT_EQ(iteration.tasks.size(), 1U);
  EXPECT_EQ(iteration.tasks[0].kind, "attention");
}

Task lone(const char* module, const char* extents, Mode mode) {
  const auto operation = calibrate::torch_operation(module, extents).value();
  return standalone_task(operation.network, {operation.batch, mode, device::Precision::tf32}).value();
}

TEST(StandaloneTask, EqualsTheOperationInANetwork) {
  const Task alone = lone("Conv2d(64, 64, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)",
                          "(32, 64, 56, 56)", Mode::training);
  const Iteration iteration =
      test::iteration_named("resnet18", {32, Mode::training, device::Precision::tf32});
  const auto found = std::find_if(iteration.tasks.begin(), iteration.tasks.end(),
                                  [&](const Task& task) { return task.id == alone.id; });
  ASSERT_NE(found, iteration.tasks.end());
  EXPECT_EQ(found->kind, "conv");
  EXPECT_EQ(found->forward.size(), alone.forward.size());
  EXPECT_EQ(found->backward.size(), alone.backward.size());
  EXPECT_EQ(found->forward[0].flops, alone.forward[0].flops);
}

TEST(StandaloneTask, DropoutIsActive) {
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const Task task = lone("Dropout(p=0.5, inplace=False)", "(32, 4096)", mode);
    EXPECT_EQ(task.kind, "dropout");
    ASSERT_EQ(task.forward.size(), 1U);
    EXPECT_EQ(task.forward[0].traffic, Bytes{2 * 4 * 32 * 4096});
    EXPECT_EQ(task.backward.empty(), mode == Mode::inference);
  }
}

TEST(StandaloneTask, TrainingComputesTheInputGradient) {
  const char* module = "Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)";
  const Task task = lone(module, "(32, 3, 224, 224)", Mode::training);
  // One for the weights, one for the input.
  EXPECT_GE(task.backward.size(), 2U);
  EXPECT_EQ(task.description.find("input_gradient=no"), std::string::npos);
}

}  // namespace
}  // namespace ergon::predict
