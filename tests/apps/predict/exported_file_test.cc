// An exported file with decomposed operators is predicted with fused operators.

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/builder.h"
#include "graph/onnx/onnx.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;

// A linear layer over tokens with a separate bias addition, and SiLU as two nodes.
Result<std::string> decomposed_file() {
  graph::Builder b("onnx", "decomposed");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}));
  const auto product = b.add("matmul", "MatMul", graph::Dense{1024, false}, {x});
  const graph::Arithmetic bias{graph::Combine::add, graph::Shape{{1024}}};
  const auto sum = b.add("bias", "Add", bias, {product});
  const auto gate = b.add("gate", "Sigmoid", graph::Elementwise{graph::Function::sigmoid}, {sum});
  const auto y = b.add("silu", "Mul", graph::Arithmetic{graph::Combine::multiply}, {sum, gate});
  return graph::onnx::export_onnx(b.finish({y}).value());
}

class ExportedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto file = decomposed_file();
    if (!file) GTEST_SKIP() << "built without the onnx library";
    std::ofstream(folder_ / "net.onnx", std::ios::binary) << *file;
  }
  // Types of the operations or layers in the JSON output of a command.
  std::vector<std::string> types(const std::string& command, const char* list) {
    const auto done =
        test::run_shell(ERGON_PROGRAMS "/ergon " + command + " --json", folder_.path().string());
    EXPECT_EQ(done.exit_code, 0) << done.err;
    std::vector<std::string> all;
    const Json document = Json::parse(done.out);
    for (const Json& each : document.at(list)) all.push_back(each.at("type"));
    std::sort(all.begin(), all.end());
    return all;
  }
  test::TemporaryFolder folder_;
};

TEST_F(ExportedFile, IsPredictedWithFusedOperators) {
  const std::vector<std::string> run{"dense", "swish"};
  EXPECT_EQ(types("predict net.onnx --device h200 --batch 8", "operations"), run);
  EXPECT_EQ(types("estimate net.onnx --device h200 --batch 8", "operations"), run);
}

// The default precision is that of the file.
TEST_F(ExportedFile, InHalfPrecisionIsPredictedInHalfPrecision) {
  graph::Builder b("onnx", "half");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}), graph::ElementType::float16);
  const auto network = b.finish({b.add("matmul", "MatMul", graph::Dense{1024, false}, {x})}).value();
  std::ofstream(folder_ / "half.onnx", std::ios::binary) << *graph::onnx::export_onnx(network);
  const auto document = [&](const std::string& command) {
    const auto done = test::run_shell(ERGON_PROGRAMS "/ergon " + command + " --device h200 --json",
                                      folder_.path().string());
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out);
  };
  for (const char* command :
       {"predict half.onnx --batch 64", "estimate half.onnx --batch 64", "tune half.onnx"}) {
    const Json by_default = document(command);
    EXPECT_EQ(by_default["precision"], "fp16") << command;
    Json given = document(std::string(command) + " --precision fp16");
    given["provenance"] = by_default["provenance"];
    EXPECT_EQ(by_default, given) << command;
    EXPECT_EQ(document(std::string(command) + " --precision tf32")["precision"], "tf32");
  }
  EXPECT_EQ(document("predict net.onnx")["precision"], "tf32");
}

TEST_F(ExportedFile, IsInspectedAsWritten) { EXPECT_EQ(types("inspect net.onnx", "layers").size(), 5U); }

}  // namespace
}  // namespace ergon::app
