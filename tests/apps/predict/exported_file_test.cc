// An exported file with decomposed operators is predicted with fused operators.

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
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
  // A linear layer over tokens of a data type.
  void write(const std::string& file, graph::ElementType type) {
    graph::Builder b("onnx", file.substr(0, file.find('.')));
    const auto x = b.input("x", "Input", graph::Shape::batch_of({128, 512}), type);
    const auto network = b.finish({b.add("matmul", "MatMul", graph::Dense{1024, false}, {x})}).value();
    std::ofstream(folder_ / file, std::ios::binary) << *graph::onnx::export_onnx(network);
  }
  test::ProcessResult run(const std::string& command) const {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + command, folder_.path().string(),
                           {{"COLUMNS", "1000"}});
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
  write("half.onnx", graph::ElementType::float16);
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

TEST_F(ExportedFile, InHalfPrecisionIsMeasuredInHalfPrecision) {
  write("half.onnx", graph::ElementType::float16);
  const auto profiled =
      run("profile --device h200 --networks half.onnx,resnet18 --measure networks --out rows");
  ASSERT_EQ(profiled.exit_code, 0) << profiled.err;
  const std::string rows = read_file(folder_ / "rows/networks.csv").value();
  const auto row_of = [&](const std::string& network) {
    const std::size_t begin = rows.find("\n" + network) + 1;
    return rows.substr(begin, rows.find('\n', begin) - begin);
  };
  EXPECT_NE(row_of("half#").find(",fp16,nhwc,"), std::string::npos) << rows;
  EXPECT_NE(row_of("resnet18,").find(",tf32,nchw,"), std::string::npos) << rows;

  const std::string sweep = "sweep --device h200 --clocks default --repeat 1 ";
  const auto swept = run(sweep + "--networks half.onnx --out one");
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const Json experiment = Json::parse(read_file(folder_ / "one/sweep.json").value()).at("experiment");
  EXPECT_EQ(experiment.at("precision"), "fp16");

  // Rows of a sweep do not say their precision, so it has only one.
  const auto mixed = run(sweep + "--networks half.onnx,resnet18 --out two");
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_EQ(mixed.err,
            "ergon: --precision: half is fp16 and resnet18 is tf32; choose one data type or use separate "
            "sweeps\n");
  EXPECT_EQ(run(sweep + "--networks half.onnx,resnet18 --precision bf16 --out two").exit_code, 0);
}

// The speed of integer products is not modeled: every command that simulates them says so, in its text and as
// `warnings` of its document.
TEST_F(ExportedFile, OfIntegersIsComputedWithAWarning) {
  write("whole.onnx", graph::ElementType::int8);
  const std::string warning = "the speed of int8 operations is not modeled; computed as tf32";
  const std::string sweep = "sweep --networks whole.onnx --device h200 --clocks default --repeat 1 --out ";
  const std::string profile = "profile --networks whole.onnx --device h200 --duration 100ms --out ";
  for (const auto& [text, json] : std::vector<std::pair<std::string, std::string>>{
           {"estimate whole.onnx --device h200", ""},
           {"allocate whole.onnx --device h200", ""},
           {"cap whole.onnx --device h200 --cap 500W --batch 4,8 --duration 1s", ""},
           {sweep + "runs", sweep + "runs2"},
           {profile + "rows", profile + "rows2"}}) {
    const auto done = run(text + " --quiet");
    EXPECT_EQ(done.exit_code, 0) << text << "\n" << done.err;
    EXPECT_NE(done.out.find("warning"), std::string::npos) << text << "\n" << done.out;
    EXPECT_NE(done.out.find(warning), std::string::npos) << text << "\n" << done.out;
    const auto other = run((json.empty() ? text : json) + " --json");
    EXPECT_EQ(other.exit_code, 0) << text << "\n" << other.err;
    EXPECT_EQ(Json::parse(other.out).at("warnings"), Json::array({warning})) << text;
    EXPECT_NE(other.err.find("warning: " + warning), std::string::npos) << text << "\n" << other.err;
  }
}

// bf16 on a V100.
TEST_F(ExportedFile, InUnsupportedPrecisionIsComputedWithAWarning) {
  write("brain.onnx", graph::ElementType::bfloat16);
  const std::string warning = "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits";
  const auto document = [&](const std::string& command) {
    const auto done = run(command + " --device v100 --json");
    EXPECT_EQ(done.exit_code, 0) << command << "\n" << done.err;
    return Json::parse(done.out);
  };
  const auto contains = [&](const Json& warnings) {
    return std::count(warnings.begin(), warnings.end(), Json(warning)) == 1;
  };
  for (const char* command :
       {"predict brain.onnx --batch 64", "estimate brain.onnx --batch 64", "allocate brain.onnx --batch 64",
        "cap brain.onnx --cap 200W --batch 4,8 --duration 1s",
        "sweep --networks brain.onnx --clocks default --repeat 1 --out runs",
        "profile --networks brain.onnx --duration 100ms --out rows"}) {
    EXPECT_TRUE(contains(document(command).at("warnings"))) << command;
  }
  EXPECT_TRUE(contains(document("tune brain.onnx --batch 64").at("devices").at(0).at("warnings")));
}

// `predict` models the launch host of transformers; the twin alone does not.
TEST_F(ExportedFile, EstimatesNameTheirLaunchHost) {
  const auto estimate = [&](const std::string& network) {
    const auto done = run("estimate " + network + " --device h200 --json");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out);
  };
  const Json language = estimate("gpt2"), vision = estimate("resnet18");
  EXPECT_EQ(language.at("host"), "python");
  EXPECT_EQ(language.at("warnings"),
            Json::array({"launch host transformers is not modeled; computed as python"}));
  EXPECT_EQ(vision.at("host"), "python");
  EXPECT_EQ(vision.at("warnings"), Json::array());
}

TEST_F(ExportedFile, IsInspectedAsWritten) { EXPECT_EQ(types("inspect net.onnx", "layers").size(), 5U); }

}  // namespace
}  // namespace ergon::app
