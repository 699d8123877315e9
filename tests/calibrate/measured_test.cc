#include "calibrate/measured.h"

#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace ergon::calibrate {
namespace {

namespace fs = std::filesystem;

class MeasuredTables : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("ergon-tables-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "h200");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file((folder_ / "h200" / name).string(), text));
  }

  fs::path folder_;
};

const std::string kHeader = "model,size,batch,mode,dtype,ms_per_iter,p_mean_instant_w\n";

TEST_F(MeasuredTables, RowsBecomeWorkloads) {
  write("networks_infer.csv",
        kHeader + "resnet18,224,32,infer,tf32conv,2.5,500\nresnet18,224,32,train,tf32conv,8,510\n");
  const auto measured = read_measured({folder_});
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_EQ(measured->networks.size(), 2U);
  const NetworkRow& first = measured->networks[0];
  EXPECT_EQ(first.device, "h200");
  EXPECT_EQ(first.workload->batch, 32);
  EXPECT_EQ(first.workload->mode, graph::Mode::inference);
  EXPECT_NEAR(first.time->si(), 2.5e-3, 1e-12);
  EXPECT_EQ(*first.power, Watts{500});
  EXPECT_EQ(measured->networks[1].workload->mode, graph::Mode::training);
  EXPECT_EQ(measured->tables, std::vector<std::string>{"networks_infer"});
}

// "training" was read as inference.
TEST_F(MeasuredTables, AcceptTheWordsOfErgon) {
  write("networks_infer.csv",
        kHeader +
            "resnet18,224,32,training,tf32,8,510\nresnet18,224,32,inference,bfloat16,2,500\n"
            "resnet18,224,32,eval,tf32,2,500\n");
  const auto measured = read_measured({folder_});
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_EQ(measured->networks.size(), 2U);
  EXPECT_EQ(measured->networks[0].workload->mode, graph::Mode::training);
  EXPECT_EQ(measured->networks[0].workload->precision, device::Precision::tf32);
  EXPECT_EQ(measured->networks[1].workload->precision, device::Precision::bf16);
  ASSERT_EQ(measured->skipped.size(), 1U);
  EXPECT_EQ(measured->skipped[0],
            "networks_infer: resnet18: mode \"eval\" is not inference or training (or infer, train)");
}

TEST_F(MeasuredTables, ReportsUnknownNetworksOnce) {
  write("networks_infer.csv",
        kHeader + "mynet,224,32,infer,tf32conv,2,500\nmynet,224,64,infer,tf32conv,4,500\n");
  const auto measured = read_measured({folder_});
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->networks.empty());
  ASSERT_EQ(measured->skipped.size(), 1U);
  EXPECT_NE(measured->skipped[0].find("networks_infer: mynet"), std::string::npos);
}

TEST_F(MeasuredTables, SkipsRowsWithInvalidNumbers) {
  write("networks_infer.csv", kHeader +
                                  "resnet18,224,32,infer,tf32conv,0,500\nresnet18,224,32,infer,tf32conv,2,-"
                                  "5\nresnet18,224,32,infer,tf32conv,1e300,5\n");
  const auto measured = read_measured({folder_});
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->networks.empty());
}

TEST_F(MeasuredTables, APowerThatTheBoardCannotDrawIsAnErrorWithLineAndColumn) {
  write("networks_infer.csv",
        kHeader + "resnet18,224,32,infer,tf32conv,2,500\nresnet18,224,64,infer,tf32conv,4,5936\n");
  const auto measured = read_measured({folder_});
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().kind, Errc::invalid_input);
  EXPECT_EQ(measured.error().message, (folder_ / "h200" / "networks_infer.csv").string() +
                                          ": line 3: p_mean_instant_w: 5936 W is not plausible; a board of "
                                          "h200 draws at most 1050 W");
}

TEST_F(MeasuredTables, AMissingColumnIsAnErrorThatNamesTheFile) {
  write("networks_infer.csv", "model,size\nresnet18,224\n");
  const auto measured = read_measured({folder_});
  ASSERT_FALSE(measured);
  EXPECT_NE(measured.error().message.find("networks_infer.csv"), std::string::npos);
  EXPECT_NE(measured.error().message.find("batch"), std::string::npos);
}

TEST_F(MeasuredTables, AFolderWithoutTablesIsEmpty) {
  const auto measured = read_measured({folder_});
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->tables.empty());
}

TEST(ClassOf, GroupsOperationTypes) {
  EXPECT_EQ(class_of("depthwise_conv"), "convolution");
  EXPECT_EQ(class_of("matmul"), "product");
  EXPECT_EQ(class_of("max_pool"), "pool");
  EXPECT_EQ(class_of("relu"), "elementwise");
}

}  // namespace
}  // namespace ergon::calibrate
