#include "calibrate/thesis_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::calibrate {
namespace {

using device::Precision;
using graph::Mode;

// Synthetic rows in the format of the published tables.
class ThesisFolder : public testing::Test {
 protected:
  void operations(const std::string& rows) {
    write("a30_2080ti_operations.csv",
          "gpu,mode,op,input_size,time_per_iter_s,time_std_s,energy_per_iter_mJ,energy_std_mJ,power_W,"
          "power_std_W,iterations\n" +
              rows);
  }
  void networks(const std::string& rows) {
    write(
        "a30_2080ti_networks.csv",
        "source_log,gpu,mode,model,op,input_size,time_per_iter_s,time_std_s,energy_per_iter_mJ,energy_std_mJ,"
        "power_W,power_std_W,train_time_per_iter_s,train_energy_mJ,train_power_W\n" +
            rows);
  }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file((folder_ / name).string(), text));
  }
  ThesisTables read() {
    auto tables = read_thesis_tables(folder_.path());
    EXPECT_TRUE(tables) << tables.error().message;
    return tables ? std::move(*tables) : ThesisTables{};
  }

  test::TemporaryFolder folder_;
};

TEST_F(ThesisFolder, ReadsOperationsWithDeviceModeAndPrecision) {
  operations(
      "A30_tf32,inference,ReLU(),\"(2, 3, 4, 4)\",0.001,0,50,0,50,0,10\n"
      "A30_fp32,training,\"Linear(in_features=3, out_features=5, bias=True)\",\"(2, "
      "3)\",0.002,0,120,0,60,0,10\n"
      "RTX2080TI,inference,ReLU(),\"(2, 3, 4, 4)\",0.003,0,210,0,70,0,10\n");
  const ThesisTables tables = read();
  ASSERT_EQ(tables.operations.size(), 3U);
  EXPECT_TRUE(tables.skipped.empty());
  EXPECT_TRUE(tables.networks.empty());
  std::map<std::pair<std::string, double>, const ThesisOperation*> found;
  for (const ThesisOperation& each : tables.operations) found[{each.device, each.time.si()}] = &each;
  const ThesisOperation& tf32 = *found.at({"a30", 0.001});
  EXPECT_EQ(tf32.mode, Mode::inference);
  EXPECT_EQ(tf32.precision, Precision::tf32);
  EXPECT_EQ(tf32.power, Watts{50});
  EXPECT_EQ(tf32.operation.batch, 2);
  EXPECT_EQ(tf32.text, "ReLU() (2, 3, 4, 4)");
  const ThesisOperation& fp32 = *found.at({"a30", 0.002});
  EXPECT_EQ(fp32.mode, Mode::training);
  EXPECT_EQ(fp32.precision, Precision::fp32);
  EXPECT_TRUE(std::holds_alternative<graph::Dense>(fp32.operation.network.nodes.back().operation));
  const ThesisOperation& other = *found.at({"rtx2080ti", 0.003});
  EXPECT_EQ(other.power, Watts{70});
}

TEST_F(ThesisFolder, TakesTheMedianOfRepeats) {
  operations(
      "A30_tf32,inference,ReLU(),\"(2, 3)\",0.005,0,0,0,90,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, 3)\",0.001,0,0,0,50,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, 3)\",0.002,0,0,0,60,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, 4)\",0.009,0,0,0,99,0,10\n");
  const ThesisTables tables = read();
  ASSERT_EQ(tables.operations.size(), 2U);
  EXPECT_EQ(tables.operations[0].time, Seconds{0.002});
  EXPECT_EQ(tables.operations[0].power, Watts{60});
}

TEST_F(ThesisFolder, ReportsUnusableRows) {
  operations(
      "A30_tf32,inference,ReLU(),\"(2, 3)\",,0,0,0,90,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, 3)\",0.001,0,0,0,-5,0,10\n"
      "A30_tf32,inference,Fold(),\"(2, 3)\",0.001,0,0,0,50,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, x)\",0.001,0,0,0,50,0,10\n"
      "A30_tf32,inference,ReLU(),\"(2, 3)\",0.001,0,0,0,50,0,10\n");
  networks(
      "log,A30_tf32,full_inference,resnet18,ResNet,\"(32, 3)\",0.001,0,0,0,50,0,,,\n"
      "log,A30_tf32,full_inference,resnet34,ResNet,\"(32, 3, 224, 224)\",0,0,0,0,50,0,,,\n");
  const ThesisTables tables = read();
  EXPECT_EQ(tables.operations.size(), 1U);
  EXPECT_TRUE(tables.networks.empty());
  ASSERT_EQ(tables.skipped.size(), 6U);
  std::string all;
  for (const std::string& each : tables.skipped) all += each + "\n";
  for (const char* word : {"row 1", "row 2", "Fold()", "(2, x)", "resnet18", "resnet34"})
    EXPECT_NE(all.find(word), std::string::npos) << word << " in\n" << all;
}

TEST_F(ThesisFolder, NetworksAreReadWithTheirBatchAndSize) {
  networks(
      "log,A30_fp32,full_training,vgg16,VGG,\"(16, 3, 299, 299)\",0.5,0,0,0,160,0,,,\n"
      "log,RTX2080TI,full_inference,resnet18,ResNet,\"(32, 3, 56, 56)\",0.25,0,0,0,200,0,,,\n");
  const ThesisTables tables = read();
  ASSERT_EQ(tables.networks.size(), 2U);
  const ThesisNetwork& first = tables.networks[0];
  EXPECT_EQ(first.device, "a30");
  EXPECT_EQ(first.precision, Precision::fp32);
  EXPECT_EQ(first.mode, Mode::training);
  EXPECT_EQ(first.network, "vgg16");
  EXPECT_EQ(first.batch, 16);
  EXPECT_EQ(first.size, 299);
  EXPECT_EQ(first.time, Seconds{0.5});
  EXPECT_EQ(first.power, Watts{160});
  EXPECT_EQ(tables.networks[1].device, "rtx2080ti");
  EXPECT_EQ(tables.networks[1].mode, Mode::inference);
}

TEST_F(ThesisFolder, WorksWithOneOfTwoTables) {
  EXPECT_FALSE(holds_thesis_tables(folder_.path()));
  networks("log,A30_fp32,full_training,vgg16,VGG,\"(16, 3, 299, 299)\",0.5,0,0,0,160,0,,,\n");
  EXPECT_TRUE(holds_thesis_tables(folder_.path()));
  EXPECT_EQ(read().networks.size(), 1U);
}

TEST_F(ThesisFolder, FailsWithoutTablesAndNamesThem) {
  const auto tables = read_thesis_tables(folder_.path());
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().kind, Errc::not_found);
  EXPECT_NE(tables.error().message.find("a30_2080ti_operations.csv"), std::string::npos);
  EXPECT_NE(tables.error().message.find(folder_.path().string()), std::string::npos);
}

TEST_F(ThesisFolder, AMissingColumnIsAnErrorThatNamesIt) {
  write("a30_2080ti_operations.csv", "gpu,mode,op\nA30_tf32,inference,ReLU()\n");
  const auto tables = read_thesis_tables(folder_.path());
  ASSERT_FALSE(tables);
  EXPECT_NE(tables.error().message.find("a30_2080ti_operations.csv"), std::string::npos);
  EXPECT_NE(tables.error().message.find("input_size"), std::string::npos) << tables.error().message;
}

// An unknown GPU must not be mistaken for a known one.
TEST_F(ThesisFolder, RowsOfOtherGpusAreSkipped) {
  operations("H100,inference,ReLU(),\"(2, 3)\",0.001,0,0,0,90,0,10\n");
  const ThesisTables tables = read();
  EXPECT_TRUE(tables.operations.empty());
  EXPECT_EQ(tables.skipped.size(), 1U);
}

class PublishedThesisTables : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path folder = std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/gpu";
    if (!holds_thesis_tables(folder)) GTEST_SKIP() << "thesis tables not found in " << folder;
    auto read = read_thesis_tables(folder);
    ASSERT_TRUE(read) << read.error().message;
    tables = std::move(*read);
  }

  std::size_t count(const std::string& device, Mode mode, Precision precision) const {
    return static_cast<std::size_t>(
        std::count_if(tables.operations.begin(), tables.operations.end(), [&](const ThesisOperation& each) {
          return each.device == device && each.mode == mode && each.precision == precision;
        }));
  }

  ThesisTables tables;
};

TEST_F(PublishedThesisTables, AreReadCompletely) {
  for (const std::string& each : tables.skipped) ADD_FAILURE() << "skipped " << each;
  EXPECT_EQ(count("a30", Mode::inference, Precision::tf32), 625U);
  EXPECT_EQ(count("a30", Mode::inference, Precision::fp32), 625U);
  EXPECT_EQ(count("a30", Mode::training, Precision::fp32), 929U);
  EXPECT_EQ(count("rtx2080ti", Mode::inference, Precision::tf32), 625U);
  EXPECT_EQ(tables.networks.size(), 62U);
}

TEST_F(PublishedThesisTables, HaveNoDuplicates) {
  std::set<std::tuple<std::string, Mode, Precision, std::string>> seen;
  for (const ThesisOperation& each : tables.operations)
    EXPECT_TRUE(seen.emplace(each.device, each.mode, each.precision, each.text).second) << each.text;
}

}  // namespace
}  // namespace ergon::calibrate
