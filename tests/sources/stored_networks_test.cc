// A model can be fitted to rows of a network from a file after the file is gone.

#include "sources/stored_networks.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/builder.h"
#include "graph/onnx/onnx.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::sources {
namespace {

namespace fs = std::filesystem;

// A linear layer over tokens, exported with a separate addition of the bias.
Result<std::string> decomposed_file(std::int64_t features) {
  graph::Builder b("onnx", "decomposed");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({16, 64}));
  const auto product = b.add("matmul", "MatMul", graph::Dense{features, false}, {x});
  const graph::Arithmetic bias{graph::Combine::add, graph::Shape{{features}}};
  return graph::onnx::export_onnx(b.finish({b.add("bias", "Add", bias, {product})}).value());
}

class StoredNetworksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!decomposed_file(128)) GTEST_SKIP() << "built without the onnx library";
    write("net.onnx", 128);
  }
  void write(const std::string& name, std::int64_t features) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << decomposed_file(features).value();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  test::TemporaryFolder folder_;
};

TEST_F(StoredNetworksTest, FindsNamesWithAndWithoutDigest) {
  ASSERT_TRUE(store_networks(path("rows"), {path("net.onnx"), "resnet18"}));
  StoredNetworks stored;
  stored.add(path("rows"));
  stored.add(path("no such folder"));
  const auto name = stored.name_of("net");
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_TRUE(name->starts_with("net#")) << *name;
  EXPECT_TRUE(stored.holds(*name));
  EXPECT_EQ(stored.name_of(*name).value(), *name);
  EXPECT_EQ(stored.name_of("resnet18").error().kind, Errc::unknown_name);
  EXPECT_EQ(stored.load("resnet18").error().kind, Errc::unknown_name);
}

// The file had no weights, so its operators were fused.
TEST_F(StoredNetworksTest, LoadsTheNetworkAsItWasRun) {
  ASSERT_TRUE(store_networks(path("rows"), {path("net.onnx")}));
  StoredNetworks stored;
  stored.add(path("rows"));
  const auto network = stored.load(stored.name_of("net").value());
  ASSERT_TRUE(network) << network.error().message;
  ASSERT_EQ(network->nodes.size(), 2U);
  EXPECT_TRUE(std::get<graph::Dense>(network->nodes[1].operation).bias);
}

TEST_F(StoredNetworksTest, TwoFilesOfOneNameAreTwoNetworks) {
  write("other/net.onnx", 256);
  ASSERT_TRUE(store_networks(path("rows"), {path("net.onnx"), path("other/net.onnx")}));
  StoredNetworks stored;
  stored.add(path("rows"));
  const auto name = stored.name_of("net");
  ASSERT_FALSE(name);
  EXPECT_NE(name.error().message.find("2 different files"), std::string::npos) << name.error().message;
}

TEST_F(StoredNetworksTest, RejectsOneNetworkWithAndWithoutWeights) {
  ASSERT_TRUE(store_networks(path("rows"), {path("net.onnx")}));
  for (const auto& file : fs::directory_iterator(folder_ / "rows" / "networks")) {
    fs::path written = file.path();
    written.replace_extension(".as_written.onnx");
    fs::rename(file.path(), written);
  }
  const auto stored = store_networks(path("rows"), {path("net.onnx")});
  ASSERT_FALSE(stored);
  EXPECT_NE(stored.error().message.find("another dataset"), std::string::npos) << stored.error().message;
}

// "resnet18" in a table is the zoo's network, even if a stored file has that name.
TEST_F(StoredNetworksTest, TablesPreferZooNetworks) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  write("resnet18.onnx", 128);
  const auto measured = run("profile --device a40 --networks resnet18.onnx --duration 100ms --out rows -q");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  fs::create_directories(folder_ / "a40");
  std::ofstream(folder_ / "a40" / "networks_mine.csv")
      << "model,size,batch,mode,dtype,ms_per_iter,p_mean_instant_w\n"
         "resnet18,224,32,infer,tf32conv,9.1,250\nnet,64,32,infer,tf32conv,0.1,90\n";
  const auto alone = run("fit --few --data a40 --out alone.json"),
             both = run("fit --few --data rows,a40 --out both.json");
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_NE(alone.err.find("1 row of net: not in the zoo and not a stored network"), std::string::npos)
      << alone.err;
  const auto time_of = [&](const std::string& model) {
    const auto answer = run("predict resnet18 --device a40 --batch 32 --json --model " + model);
    return nlohmann::json::parse(answer.out).at("time_seconds").at("value").get<double>();
  };
  // If the row were assigned to the one-layer file, its 9 ms would make the device a thousand times slower.
  EXPECT_NEAR(time_of("both.json") / time_of("alone.json"), 1, 0.3);
}

TEST_F(StoredNetworksTest, RowsAreFittedWithoutTheFile) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  const auto measured =
      run("profile --device a40 --networks net.onnx --batch 1,8 --duration 100ms --out rows -q");
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

// With one network no rows remain after holding it out.
TEST_F(StoredNetworksTest, TooFewNetworksIsReported) {
  const auto run = [&](const std::string& words) {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + words, folder_.path().string());
  };
  const std::string batches = "--batch 1,2,4,8,16,32,64,128,256";
  const auto measured =
      run("profile --device a40 --networks net.onnx " + batches + " --duration 100ms --out rows -q");
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const auto grown = run("fit --data rows --out grown.json");
  EXPECT_EQ(grown.exit_code, 1);
  EXPECT_NE(grown.err.find("held out: 0 rows are too few"), std::string::npos) << grown.err;
  EXPECT_FALSE(fs::exists(folder_ / "grown.json"));
}

}  // namespace
}  // namespace ergon::sources
