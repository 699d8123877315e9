// Documents whose numbers come from simulated rows say so.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;

struct SimulatedDocuments : ::testing::Test {
  test::TemporaryFolder folder;

  test::ProcessResult run(const std::string& command) const {
    return test::run_shell(ERGON_PROGRAMS "/ergon " + command, folder.path().string());
  }
  bool is_simulated(const std::string& command) const {
    const auto done = run(command + " --json");
    EXPECT_EQ(done.exit_code, 0) << command << "\n" << done.err;
    return Json::parse(done.out).at("provenance").at("simulated");
  }
};

TEST_F(SimulatedDocuments, AreModelsOfRowsOfATwin) {
  const auto profiled =
      run("profile --device a40 --networks resnet18,squeezenet1_1,mobilenet_v2 --batch 1,8 --duration 100ms "
          "--out rows");
  ASSERT_EQ(profiled.exit_code, 0) << profiled.err;
  EXPECT_TRUE(is_simulated("fit --data rows --few --out model.json"));
  EXPECT_TRUE(is_simulated("predict evaluate --data rows --networks"));
}

TEST_F(SimulatedDocuments, AreTablesOfMarkedRows) {
  std::ofstream(folder / "marked.csv") << "host,power,simulated\na,1,false\nb,2,true\na,3,\n";
  std::ofstream(folder / "measured.csv") << "host,power,simulated\na,1,false\nb,2,false\na,3,\n";
  std::ofstream(folder / "plain.csv") << "host,power\na,1\nb,2\na,3\n";
  for (const std::string command : {"group FILE --by host --aggregate mean:power",
                                    "convert FILE --columns host,power", "describe FILE"}) {
    const auto on = [&](const std::string& file) {
      std::string words = command;
      return is_simulated("table " + words.replace(words.find("FILE"), 4, file));
    };
    EXPECT_TRUE(on("marked.csv")) << command;
    EXPECT_FALSE(on("measured.csv")) << command;
    EXPECT_FALSE(on("plain.csv")) << command;
  }
}

}  // namespace
}  // namespace ergon::app
