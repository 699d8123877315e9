#include "sources/training_data.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "profile/dataset.h"
#include "support/temporary_folder.h"

namespace ergon::sources {
namespace {

namespace fs = std::filesystem;

profile::Row network_row(const std::string& network, const std::string& device) {
  profile::Row row;
  row.subject = {profile::Subject::Kind::network, network, network, "", ""};
  row.device = device;
  row.iterations = 100;
  row.time = Seconds{0.002};
  row.power = Watts{100};
  row.session = 1;
  return row;
}

// A dataset with one network, measured on a device of this product.
void write_dataset(const fs::path& folder, const std::string& product,
                   const std::string& network = "resnet18") {
  auto dataset = profile::Dataset::open(folder.string(), {}).value();
  const auto session = dataset.begin_session(
      {{"device", product}, {"uuid", "GPU-1"}, {"simulated", false}, {"engine", "libtorch"}});
  ASSERT_TRUE(session);
  ASSERT_TRUE(dataset.append(network_row(network, "GPU-1")));
}

TEST(TrainingData, OfDatasetsIsGroupedByTheTwinOfTheProduct) {
  test::TemporaryFolder folder;
  write_dataset(folder / "one", "NVIDIA H200");
  write_dataset(folder / "two", "NVIDIA A40", "resnet34");
  const auto all = read_training_data({(folder / "one").string(), (folder / "two").string() + "/"});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2u);
  const predict::TrainingData& h200 = all->at("h200");
  EXPECT_EQ(h200.device, "h200");
  ASSERT_EQ(h200.networks.size(), 1u);
  EXPECT_EQ(h200.networks[0].iteration.network, "resnet18");
  EXPECT_EQ(h200.networks[0].time, Seconds{0.002});
  ASSERT_EQ(h200.sources.size(), 1u);
  EXPECT_EQ(h200.sources[0].name, "one");
  EXPECT_EQ(h200.sources[0].detail, "`ergon profile`, 1 board");
  EXPECT_EQ(h200.sources[0].networks, 1);
  EXPECT_EQ(all->at("a40").sources.at(0).name, "two") << "without the slash at the end";
}

TEST(TrainingData, FailsForADeviceWithoutATwin) {
  test::TemporaryFolder folder;
  write_dataset(folder / "data", "Board 7");
  const auto all = read_training_data({(folder / "data").string()});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, Errc::not_found);
  EXPECT_EQ(all.error().message,
            (folder / "data").string() + ": \"Board 7\" has no device file (see `ergon devices`)");
}

TEST(TrainingData, OfPythonTablesBelongsToTheDeviceOfTheFolder) {
  const std::string h200 = ERGON_REPOSITORY "/data/reference/h200";
  const auto all = read_training_data({h200});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1u);
  const predict::TrainingData& data = all->at("h200");
  EXPECT_GT(data.networks.size(), 100u);
  EXPECT_TRUE(data.operations.empty());
  EXPECT_EQ(data.sources.at(0).name, h200) << "the folder that was given, which need not be Ergon's";
  EXPECT_EQ(data.sources.at(0).networks, static_cast<std::int64_t>(data.networks.size()));

  test::TemporaryFolder folder;
  fs::create_directory(folder / "board");
  fs::copy(fs::path(h200) / "networks_infer.csv", folder / "board");
  const auto unnamed = read_training_data({(folder / "board").string()});
  ASSERT_FALSE(unnamed);
  EXPECT_NE(unnamed.error().message.find("the folder must have the name of a device"), std::string::npos)
      << unnamed.error().message;
}

TEST(TrainingData, FailsForAPowerThatTheBoardCannotDraw) {
  test::TemporaryFolder folder;
  write_dataset(folder / "data", "NVIDIA A30");
  auto dataset = profile::Dataset::open((folder / "data").string(), {true}).value();
  profile::Row row = network_row("resnet34", "GPU-1");
  row.power = Watts{1000};
  ASSERT_TRUE(dataset.append(row));
  const auto all = read_training_data({(folder / "data").string()});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, Errc::invalid_input);
  EXPECT_EQ(all.error().message,
            (folder / "data").string() +
                ": networks.csv: resnet34 at batch 1: power_watts 1000 is not plausible; a "
                "board of a30 draws at most 247.5 W");
}

TEST(TrainingData, FailsForAFolderWithoutData) {
  test::TemporaryFolder folder;
  const auto all = read_training_data({folder.path().string()});
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().message.find("no dataset found"), std::string::npos) << all.error().message;
}

}  // namespace
}  // namespace ergon::sources
