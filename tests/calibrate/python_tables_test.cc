#include "calibrate/python_tables.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::calibrate {
namespace {

constexpr const char* kColumns = "model,size,batch,mode,dtype,ms_per_iter,p_mean_instant_w\n";

std::filesystem::path table_in(const test::TemporaryFolder& folder, const std::string& name,
                               const std::string& rows) {
  EXPECT_TRUE(write_file(folder.path() / name, kColumns + rows));
  return folder.path();
}

TEST(PythonTables, ReadsEveryTableOfAFolder) {
  const test::TemporaryFolder folder;
  table_in(folder, "networks_infer.csv", "resnet50,224,32,infer,tf32conv,5.4,533\n");
  table_in(folder, "networks_more.csv", "bert_base,128,64,train,bf16,20,600\n");
  EXPECT_TRUE(holds_python_tables(folder.path()));
  const auto tables = read_python_tables(folder.path(), "h200");
  ASSERT_TRUE(tables) << tables.error().message;
  ASSERT_EQ(tables->networks.size(), 2U);
  const PythonNetwork& bert = tables->networks[0];
  EXPECT_EQ(bert.network, "bert_base");
  EXPECT_EQ(bert.mode, graph::Mode::training);
  EXPECT_EQ(bert.precision, device::Precision::bf16);
  EXPECT_EQ(bert.size, 128);
  EXPECT_EQ(bert.batch, 64);
  EXPECT_DOUBLE_EQ(tables->networks[1].time.si(), 5.4e-3);
  EXPECT_EQ(tables->networks[1].power, Watts{533});
}

TEST(PythonTables, TakesTheMedianOfRepeatsAcrossTables) {
  const test::TemporaryFolder folder;
  table_in(folder, "networks_a.csv",
           "vgg16,224,32,infer,tf32conv,8,600\nvgg16,224,32,infer,tf32conv,10,700\n");
  table_in(folder, "networks_b.csv", "vgg16,224,32,infer,tf32conv,30,650\n");
  const auto tables = read_python_tables(folder.path(), "h200");
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->networks.size(), 1U);
  EXPECT_DOUBLE_EQ(tables->networks[0].time.si(), 10e-3);
  EXPECT_EQ(tables->networks[0].power, Watts{650});
}

TEST(PythonTables, AcceptTheWordsOfErgonAndPyTorch) {
  const test::TemporaryFolder folder;
  table_in(folder, "networks_a.csv",
           "a,224,1,inference,tf32,1,100\na,224,2,Inference,TF32,1,100\na,224,3,infer,tf32conv,1,100\n"
           "a,224,4,training,bfloat16,1,100\na,224,5,train,bf16_nhwc,1,100\na,224,6,train,bf16,1,100\n"
           "a,224,7,inference,float32,1,100\na,224,8,infer,fp16,1,100\na,224,9,infer,float16,1,100\n");
  const auto tables = read_python_tables(folder.path(), "h200");
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_TRUE(tables->skipped.empty()) << tables->skipped[0];
  ASSERT_EQ(tables->networks.size(), 9U);
  using device::Precision;
  using graph::Mode;
  const Precision precisions[] = {Precision::tf32, Precision::tf32, Precision::tf32,
                                  Precision::bf16, Precision::bf16, Precision::bf16,
                                  Precision::fp32, Precision::fp16, Precision::fp16};
  for (const PythonNetwork& network : tables->networks) {
    EXPECT_EQ(network.precision, precisions[network.batch - 1]) << network.batch;
    EXPECT_EQ(network.mode, network.batch >= 4 && network.batch <= 6 ? Mode::training : Mode::inference)
        << network.batch;
  }
}

TEST(PythonTables, UnknownWordsAreNamedWithTheAcceptedOnes) {
  const test::TemporaryFolder folder;
  table_in(
      folder, "networks_a.csv",
      "a,224,1,eval,tf32,1,100\na,224,1,infer,int4,1,100\na,x,1,infer,tf32,1,100\na,224,1,infer,tf32,0,1\n");
  const auto tables = read_python_tables(folder.path(), "h200");
  ASSERT_TRUE(tables);
  EXPECT_EQ(
      tables->skipped,
      (std::vector<std::string>{
          "networks_a.csv, row 1: mode \"eval\" is not inference or training (or infer, train)",
          "networks_a.csv, row 2: dtype \"int4\" is not fp32, tf32, bf16 or fp16 (or float32, bfloat16, "
          "float16, tf32conv, bf16_nhwc)",
          "networks_a.csv, row 3: size is not a whole number above 0",
          "networks_a.csv, row 4: ms_per_iter is not a positive number"}));
}

TEST(PythonTables, ReportsIncompleteRows) {
  const test::TemporaryFolder folder;
  const auto path = table_in(folder, "networks_a.csv",
                             "vgg16,224,32,infer,int4,8,600\nvgg16,224,0,infer,tf32conv,8,600\n"
                             "vgg16,224,32,sleep,tf32conv,8,600\nvgg16,224,32,infer,tf32conv,,600\n");
  const auto tables = read_python_tables(path, "h200");
  ASSERT_TRUE(tables);
  EXPECT_TRUE(tables->networks.empty());
  ASSERT_EQ(tables->skipped.size(), 4U);
  EXPECT_NE(tables->skipped[2].find("networks_a.csv, row 3"), std::string::npos) << tables->skipped[2];
}

// 593.6 W without its decimal point, and another board's plausible power.
TEST(PythonTables, RejectsAPowerThatTheBoardCannotDraw) {
  const test::TemporaryFolder folder;
  const auto path = table_in(folder, "networks_a.csv",
                             "vgg16,224,32,infer,tf32conv,8,600\nvgg16,224,32,infer,tf32conv,8,5936\n");
  const auto tables = read_python_tables(path, "h200");
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().kind, Errc::invalid_input);
  EXPECT_EQ(tables.error().message,
            (path / "networks_a.csv").string() +
                ": line 3: p_mean_instant_w: 5936 W is not plausible; a board of h200 "
                "draws at most 1050 W");
  EXPECT_NE(read_python_tables(path, "a30").error().message.find("line 2: p_mean_instant_w: 600 W"),
            std::string::npos);
}

TEST(PythonTables, DoesNotMatchOtherFolders) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(holds_python_tables(folder.path()));
  EXPECT_FALSE(holds_python_tables(folder.path() / "nowhere"));
  ASSERT_TRUE(write_file(folder.path() / "networks.csv", "what `ergon profile` writes"));
  EXPECT_FALSE(holds_python_tables(folder.path()));
  EXPECT_FALSE(read_python_tables(folder.path(), "h200"));
}

TEST(PythonTables, RejectsATableWithAMissingColumn) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "networks_a.csv", "model,size\nvgg16,224\n"));
  const auto tables = read_python_tables(folder.path(), "h200");
  ASSERT_FALSE(tables);
  EXPECT_NE(tables.error().message.find("batch"), std::string::npos) << tables.error().message;
}

}  // namespace
}  // namespace ergon::calibrate
