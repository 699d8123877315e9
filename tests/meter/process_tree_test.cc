#include "meter/process_tree.h"

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
  ProcessRelation process_relation(int pid, int ancestor) const {
    return meter::process_relation(pid, ancestor, proc_.path());
  }

  test::TemporaryFolder proc_;
};

TEST_F(FakeProcesses, ItselfAndItsChildrenAreDescendants) {
  process(10, 1);
  process(20, 10);
  process(30, 20);
  EXPECT_EQ(process_relation(10, 10), ProcessRelation::descendant);
  EXPECT_EQ(process_relation(20, 10), ProcessRelation::descendant);
  EXPECT_EQ(process_relation(30, 10), ProcessRelation::descendant);
}

TEST_F(FakeProcesses, ParentsAndSiblingsAreUnrelated) {
  process(5, 1);
  process(10, 5);
  process(11, 5);
  EXPECT_EQ(process_relation(5, 10), ProcessRelation::unrelated);
  EXPECT_EQ(process_relation(11, 10), ProcessRelation::unrelated);
}

TEST_F(FakeProcesses, AMissingProcessIsGone) {
  process(10, 1);
  EXPECT_EQ(process_relation(99, 10), ProcessRelation::gone);
}

TEST_F(FakeProcesses, AProcessWithAHiddenParentIsUnrelated) {
  process(30, 20);
  EXPECT_EQ(process_relation(30, 10), ProcessRelation::unrelated);
}

TEST_F(FakeProcesses, AcceptsAnyCommandName) {
  process(20, 10, ") S 1 (evil) R 7 ");
  EXPECT_EQ(process_relation(20, 10), ProcessRelation::descendant);
}

TEST_F(FakeProcesses, ACycleTerminates) {
  process(20, 30);
  process(30, 20);
  EXPECT_EQ(process_relation(20, 10), ProcessRelation::unrelated);
}

TEST_F(FakeProcesses, AnUnreadableStatFileIsGone) {
  std::filesystem::create_directories(proc_.path() / "20");
  std::ofstream(proc_.path() / "20" / "stat") << "nonsense";
  EXPECT_EQ(process_relation(20, 10), ProcessRelation::gone);
}

// In a container the meter may be process 1.
TEST_F(FakeProcesses, TheFirstProcessHasChildrenToo) {
  process(1, 0);
  process(20, 1);
  EXPECT_EQ(process_relation(20, 1), ProcessRelation::descendant);
}

TEST(ProcessRelation, OfThisMachine) {
  EXPECT_EQ(process_relation(::getpid(), ::getpid()), ProcessRelation::descendant);
  if (::getppid() <= 1) GTEST_SKIP() << "started by the first process";
  EXPECT_EQ(process_relation(::getpid(), ::getppid()), ProcessRelation::descendant);
  EXPECT_EQ(process_relation(::getppid(), ::getpid()), ProcessRelation::unrelated);
}

}  // namespace
}  // namespace ergon::meter
