#include "meter/kinship.h"

#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::meter {
namespace {

class FakeProcesses : public testing::Test {
 protected:
  void process(int pid, int parent, const std::string& name = "python") {
    const auto folder = proc_.path() / std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stat") << pid << " (" << name << ") S " << parent << " 1 1 0 -1\n";
  }
  Kinship kinship(int pid, int ancestor) const { return meter::kinship(pid, ancestor, proc_.path()); }

  test::TemporaryFolder proc_;
};

TEST_F(FakeProcesses, TheSameAndWhatItStartedAreItsOwn) {
  process(10, 1);
  process(20, 10);
  process(30, 20);
  EXPECT_EQ(kinship(10, 10), Kinship::own);
  EXPECT_EQ(kinship(20, 10), Kinship::own);
  EXPECT_EQ(kinship(30, 10), Kinship::own);
}

TEST_F(FakeProcesses, ParentsAndSiblingsAreStrangers) {
  process(5, 1);
  process(10, 5);
  process(11, 5);
  EXPECT_EQ(kinship(5, 10), Kinship::stranger);
  EXPECT_EQ(kinship(11, 10), Kinship::stranger);
}

TEST_F(FakeProcesses, OneThatIsNotThereIsGone) {
  process(10, 1);
  EXPECT_EQ(kinship(99, 10), Kinship::gone);
}

TEST_F(FakeProcesses, OneWhoseParentIsNotToBeSeenIsAStranger) {
  process(30, 20);
  EXPECT_EQ(kinship(30, 10), Kinship::stranger);
}

TEST_F(FakeProcesses, ANameMayHoldAnything) {
  process(20, 10, ") S 1 (evil) R 7 ");
  EXPECT_EQ(kinship(20, 10), Kinship::own);
}

TEST_F(FakeProcesses, ACircleHasAnEnd) {
  process(20, 30);
  process(30, 20);
  EXPECT_EQ(kinship(20, 10), Kinship::stranger);
}

TEST_F(FakeProcesses, WhatIsNotUnderstoodIsGone) {
  std::filesystem::create_directories(proc_.path() / "20");
  std::ofstream(proc_.path() / "20" / "stat") << "nonsense";
  EXPECT_EQ(kinship(20, 10), Kinship::gone);
}

// In a container the meter may well be process 1.
TEST_F(FakeProcesses, TheFirstProcessHasChildrenToo) {
  process(1, 0);
  process(20, 1);
  EXPECT_EQ(kinship(20, 1), Kinship::own);
}

TEST(Kinship, OfThisMachine) {
  EXPECT_EQ(kinship(::getpid(), ::getpid()), Kinship::own);
  if (::getppid() <= 1) GTEST_SKIP() << "started by the first process";
  EXPECT_EQ(kinship(::getpid(), ::getppid()), Kinship::own);
  EXPECT_EQ(kinship(::getppid(), ::getpid()), Kinship::stranger);
}

}  // namespace
}  // namespace ergon::meter
