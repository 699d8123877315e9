// Rows of a network that came from a file can be learned from when the file is gone.

#include "networks/kept_networks.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/builder.h"
#include "graph/onnx/onnx.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

namespace fs = std::filesystem;

// A linear layer over tokens whose bias is a node of its own.
std::string spelled_file(std::int64_t features) {
  graph::Builder b("onnx", "spelled");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({16, 64}));
  const auto product = b.add("matmul", "MatMul", graph::Dense{features, false}, {x});
  const graph::Arithmetic bias{graph::Combine::add, graph::Shape{{features}}};
  return graph::onnx::export_onnx(b.finish({b.add("bias", "Add", bias, {product})}).value()).value();
}

class Kept : public ::testing::Test {
 protected:
  void SetUp() override { write("net.onnx", 128); }
  void write(const std::string& name, std::int64_t features) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << spelled_file(features);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  test::TemporaryFolder folder_;
};

TEST_F(Kept, IsFoundByItsNameWithAndWithoutTheDigest) {
  ASSERT_TRUE(keep_networks(path("rows"), {path("net.onnx"), "resnet18"}));
  KeptNetworks kept;
  kept.add(path("rows"));
  kept.add(path("no such folder"));
  const auto name = kept.name_of("net");
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_TRUE(name->starts_with("net#")) << *name;
  EXPECT_TRUE(kept.holds(*name));
  EXPECT_EQ(kept.name_of(*name).value(), *name);
  EXPECT_EQ(kept.name_of("resnet18").error().kind, Errc::not_found);
  EXPECT_EQ(kept.load("resnet18").error().kind, Errc::not_found);
}

// Its file had no numbers, so it was run as a framework runs it.
TEST_F(Kept, IsWhatWasRun) {
  ASSERT_TRUE(keep_networks(path("rows"), {path("net.onnx")}));
  KeptNetworks kept;
  kept.add(path("rows"));
  const auto network = kept.load(kept.name_of("net").value());
  ASSERT_TRUE(network) << network.error().message;
  ASSERT_EQ(network->nodes.size(), 2U);
  EXPECT_TRUE(std::get<graph::Dense>(network->nodes[1].operation).bias);
}

TEST_F(Kept, TwoFilesOfOneNameAreTwoNetworks) {
  write("other/net.onnx", 256);
  ASSERT_TRUE(keep_networks(path("rows"), {path("net.onnx"), path("other/net.onnx")}));
  KeptNetworks kept;
  kept.add(path("rows"));
  const auto name = kept.name_of("net");
  ASSERT_FALSE(name);
  EXPECT_NE(name.error().message.find("2 files that differ"), std::string::npos) << name.error().message;
}

TEST_F(Kept, OneThatWasRunInTwoMannersIsRefused) {
  ASSERT_TRUE(keep_networks(path("rows"), {path("net.onnx")}));
  for (const auto& file : fs::directory_iterator(folder_ / "rows" / "networks")) {
    fs::path written = file.path();
    written.replace_extension(".as_written.onnx");
    fs::rename(file.path(), written);
  }
  const auto kept = keep_networks(path("rows"), {path("net.onnx")});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("another dataset"), std::string::npos) << kept.error().message;
}

// A table's resnet18 is the zoo's, whatever somebody's file is called.
TEST_F(Kept, TablesMeanTheNetworksOfTheZooFirst) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  write("resnet18.onnx", 128);
  const auto measured = run("profile --device a40 --networks resnet18.onnx --time 100ms --out rows -q");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  fs::create_directories(folder_ / "a40");
  std::ofstream(folder_ / "a40" / "networks_mine.csv")
      << "model,size,batch,mode,dtype,ms_per_iter,p_mean_instant_w\n"
         "resnet18,224,32,infer,tf32conv,9.1,250\nnet,64,32,infer,tf32conv,0.1,90\n";
  const auto alone = run("fit --few --data a40 --out alone.json"),
             both = run("fit --few --data rows,a40 --out both.json");
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_NE(alone.err.find("1 row of net, which is neither in the zoo nor kept"), std::string::npos)
      << alone.err;
  const auto time_of = [&](const std::string& model) {
    const auto answer = run("predict resnet18 --device a40 --batch 32 --json --model " + model);
    return nlohmann::json::parse(answer.out).at("time_seconds").at("value").get<double>();
  };
  // Taken for the file of one small layer, 9 ms would make the device a thousand times slower.
  EXPECT_NEAR(time_of("both.json") / time_of("alone.json"), 1, 0.3);
}

TEST_F(Kept, RowsAreLearnedFromWithoutTheFile) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  const auto measured =
      run("profile --device a40 --networks net.onnx --batch 1,8 --time 100ms --out rows -q");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  fs::remove(folder_ / "net.onnx");
  const auto merged = run("profile merge rows --out merged");
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  for (const std::string folder : {"rows", "merged"}) {
    const auto fitted = run("fit --few --data " + folder + " --out " + folder + ".json");
    EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
    EXPECT_NE(fitted.out.find("2 operations and 2 networks"), std::string::npos) << fitted.out << fitted.err;
    EXPECT_EQ(fitted.err.find("left out"), std::string::npos) << fitted.err;
  }
}

// One network alone leaves nothing to learn from once it is held back.
TEST_F(Kept, WhatIsTooLittleWithoutANetworkSaysSo) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  const std::string batches = "--batch 1,2,4,8,16,32,64,128,256";
  const auto measured =
      run("profile --device a40 --networks net.onnx " + batches + " --time 100ms --out rows -q");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const auto grown = run("fit --data rows --out grown.json");
  EXPECT_EQ(grown.exit_code, 1);
  EXPECT_NE(grown.err.find("held back: 0 rows are too few"), std::string::npos) << grown.err;
  EXPECT_FALSE(fs::exists(folder_ / "grown.json"));
}

}  // namespace
}  // namespace ergon::app
