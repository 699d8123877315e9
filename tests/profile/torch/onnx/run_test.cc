// Small files with weights give the expected outputs; large files without weights can be run.

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "../run_nodes.h"
#include "graph/onnx/onnx.h"
#include "profile/torch/work.h"

namespace ergon::profile::torch {
namespace {

using nlohmann::json;

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

graph::ElementType type_named(const std::string& name) {
  for (auto type = graph::ElementType::float64; type != graph::ElementType::text;
       type = static_cast<graph::ElementType>(static_cast<int>(type) + 1)) {
    if (graph::name_of(type) == name) return type;
  }
  ADD_FAILURE() << "unknown type " << name;
  return graph::ElementType::text;
}

at::Tensor tensor_of(const json& described) {
  const auto sizes = described["shape"].get<std::vector<std::int64_t>>();
  const auto type = type_named(described["type"]);
  graph::StoredTensor stored{graph::ElementType::float64, sizes, {}};
  for (const json& number : described["data"]) {
    const double value = number.is_boolean() ? number.get<bool>() : number.get<double>();
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    stored.bytes.insert(stored.bytes.end(), bytes, bytes + sizeof value);
  }
  return to_tensor(stored).value().to(scalar_type_of(type).value());
}

void expect_close(const at::Tensor& got, const at::Tensor& wanted, const std::string& name) {
  ASSERT_EQ(got.sizes(), wanted.sizes()) << name;
  const at::Tensor a = got.to(at::kDouble);
  const at::Tensor b = wanted.to(at::kDouble);
  if (a.numel() == 0) return;
  const double largest = std::max(b.abs().max().item<double>(), 1e-6);
  EXPECT_LT(a.sub(b).abs().max().item<double>(), 1e-4 * largest) << name;
}

TEST(OnnxRun, FilesGiveTheExpectedOutputs) {
  const auto files = files_in(ERGON_REPOSITORY "/tests/golden/onnx_run");
  ASSERT_GE(files.size(), 8U);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const auto filled = graph::onnx::import_onnx_with_weights(path.string(), {});
    ASSERT_TRUE(filled) << filled.error().message;
    ASSERT_TRUE(filled->content) << filled->missing;
    std::ifstream file(std::filesystem::path(path).replace_extension(".json"));
    const json expected = json::parse(file);

    NodeRun run{filled->network, &*filled->content};
    std::size_t next = 0;
    for (const graph::Node& node : filled->network.nodes) {
      if (!std::holds_alternative<graph::Input>(node.operation)) continue;
      ASSERT_LT(next, expected["inputs"].size());
      run.inputs[node.outputs[0]] = tensor_of(expected["inputs"][next++]);
    }
    run.batch = 2;
    ASSERT_TRUE(run.run()) << run.failure->message;
    ASSERT_EQ(filled->network.outputs.size(), expected["outputs"].size());
    for (std::size_t i = 0; i < expected["outputs"].size(); ++i) {
      const json& output = expected["outputs"][i];
      expect_close(run.output(i), tensor_of(output), output["name"].get<std::string>());
    }
    // The program of `ergon profile` gives the same.
    const RunCondition condition{2, graph::Mode::inference, device::Precision::fp32, Layout::nchw};
    const auto program = Program::compile(filled->network, &*filled->content, condition);
    ASSERT_TRUE(program) << program.error().message;
    const auto backend = processor_backend();
    SystemClock clock;
    TorchWork work(*program, *backend, clock, condition, {.content = &*filled->content});
    std::vector<at::Tensor> inputs;
    for (const InputPlan& input : program->inputs()) inputs.push_back(run.inputs.at(input.value));
    const auto outputs = work.outputs_for(inputs);
    ASSERT_EQ(outputs.size(), expected["outputs"].size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      expect_close(outputs[i], tensor_of(expected["outputs"][i]), "compiled");
  }
}

TEST(OnnxRun, EveryNodeOfExportedNetworksHasAKernel) {
  const auto files = files_in(ERGON_REPOSITORY "/../shared/onnx");
  if (files.empty()) GTEST_SKIP() << "../shared/onnx is not there";
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const auto network = graph::onnx::import_onnx_file(path.string(), {});
    ASSERT_TRUE(network) << network.error().message;
    for (const graph::Node& node : network->nodes) {
      const NodeView view{*network, node};
      const auto kernel = kernel_of(view);
      EXPECT_TRUE(kernel) << network->layers[node.layer].name << ": " << kernel.error().message;
      EXPECT_TRUE(weights_for(view)) << network->layers[node.layer].name;
    }
  }
}

// Exports without weights run with random weights.
TEST(OnnxRun, ExportedNetworksRunWithRandomWeights) {
  for (const char* name : {"squeezenet1_1", "shufflenet_v2_x1_0", "mobilenet_v2"}) {
    const auto path =
        std::filesystem::path(ERGON_REPOSITORY "/../shared/onnx") / (std::string(name) + ".onnx");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "../shared/onnx is not there";
    const auto network = graph::onnx::import_onnx_file(path.string(), {});
    ASSERT_TRUE(network) << network.error().message;
    NodeRun run{*network};
    ASSERT_TRUE(run.run()) << name << ": " << run.failure->message;
  }
}

}  // namespace
}  // namespace ergon::profile::torch
