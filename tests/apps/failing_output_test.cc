// Every write of every command fails once, with all later ones: on standard output, on standard error, and to
// the files that it writes. The command ends in time with a documented exit code, and GPUs are restored.

#include <cerrno>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"
#include "base/errc.h"
#include "base/file.h"
#include "commands.h"

#ifdef ERGON_FAILING_WRITES_LIBRARY

namespace ergon::app {
namespace {

namespace fs = std::filesystem;
using test::FakeHost;

// A cheap invocation of a command. It writes files to the folder out, which is empty at the start.
struct Invocation {
  std::string command;  // "ergon table convert"
  std::string arguments = {};
  std::string preparation = {};  // creates its input
  std::string prefix = {};       // precedes the command
  bool slow = false;             // fewer faults
};

constexpr const char* kCsv = "printf 'x,y\\n1,2\\n2,3\\n3,5\\n4,4\\n5,7\\n6,1\\n7,2\\n8,5\\n9,1\\n' > t.csv";
constexpr const char* kDataset =
    "ergon profile --device h200 --networks alexnet --operation-types dense --batch 1,2,4 --out data -q";
constexpr const char* kFleet = "ergon fleet generate --hosts 1 --hours 0.1 --out fleet -q";
constexpr const char* kFleetFiles = "--checkpoints fleet/application-checkpoints.csv --gpu fleet/gpu.csv";
// They run until they are interrupted.
constexpr const char* kSoonInterrupted = "timeout --preserve-status --signal INT 0.5 ";

const std::vector<Invocation> kInvocations = {
    {"ergon"},
    {"ergon zoo"},
    {"ergon inspect", "alexnet"},
    {"ergon export", "alexnet out/a.csv"},
    {"ergon devices"},
    {"ergon devices validate", "--tables tables h200",
     "mkdir -p tables/h200; printf 'model,size,batch,mode,dtype,ms_per_iter,p_mean_instant_w\\n"
     "resnet50,224,64,infer,tf32conv,9.57,593\\n' > tables/h200/networks_infer.csv"},
    {"ergon devices calibrate", "--tables tables --out out", "mkdir tables"},  // fails: no tables
    {"ergon measure", "--device gpu0 --trace out/trace.csv --out out/report -- true"},
    {"ergon profile", "--device h200 --networks alexnet --measure networks --out out/data"},
    {"ergon profile merge", "data --out out/merged", kDataset},
    {"ergon profile validate", "data", kDataset},
    {"ergon sweep", "--device v100 --networks alexnet --clocks 900MHz,1200MHz --out out/sweep"},
    {"ergon sweep evaluate", "sweep",
     "ergon sweep --device v100 --networks alexnet --clocks 900MHz,1200MHz --out sweep -q"},
    {"ergon estimate", "alexnet --device a30"},
    {"ergon predict", "alexnet --device a30"},
    {"ergon predict evaluate", "--data data --operations --folds 2", kDataset},
    {"ergon tune", "alexnet --device a30"},
    {"ergon fit", "--data data --few --out out/model.json", kDataset},
    {"ergon cap", "alexnet --device v100 --cap 150W --duration 1s --log out/log.csv"},
    {"ergon simulate", "alexnet"},
    {"ergon simulate sweep", "alexnet --arrays 32x32 --out out/sweep.csv"},
    {"ergon roofline", "alexnet"},
    {"ergon allocate", "scalesim/MobileNet"},
    {"ergon allocate compare", "scalesim/MobileNet"},
    {"ergon allocate follow", "scalesim/MobileNet --runs 5"},
    {"ergon fleet", "--help"},
    {"ergon fleet generate", "--hosts 1 --hours 0.1 --out out/fleet"},
    {"ergon fleet analyze", std::string(kFleetFiles) + " --out out/tables --part out/part.json", kFleet},
    {"ergon fleet merge", "part.json --out out/tables --part out/part.json",
     fmt::format("{} && ergon fleet analyze {} --part part.json -q", kFleet, kFleetFiles)},
    {"ergon reproduce", "--help"},
    {.command = "ergon reproduce arada", .arguments = "--claims", .slow = true},
    {.command = "ergon reproduce batchsizer", .arguments = "--claims", .slow = true},
    {"ergon reproduce terascope"},  // fails: no data
    {.command = "ergon reproduce thesis", .arguments = "--claims", .slow = true},
    {"ergon reproduce v100s", "--resume"},  // fails: a study takes long
    {.command = "ergon reproduce all", .prefix = kSoonInterrupted, .slow = true},
    {"ergon table", "--help"},
    {"ergon table convert", "t.csv --out out/t.csv", kCsv},
    {"ergon table describe", "t.csv", kCsv},
    {"ergon table group", "t.csv --by y", kCsv},
    {"ergon table join", "t.csv t.csv --on x", kCsv},
    {"ergon table relate", "t.csv x y", kCsv},
    {"ergon table split", "t.csv y", kCsv},
    {"ergon report", "zoo.json --out out/report.html", "ergon zoo --json > zoo.json"},
    {.command = "ergon serve",
     .arguments = "--port 0 --results out/results",
     .prefix = kSoonInterrupted,
     .slow = true},
};

// They change clocks, and restore them.
const std::vector<Invocation> kControlling = {
    {"ergon measure", "--clock 900MHz --power-limit 180W --allow-control -- true"},
    {"ergon profile",
     "--device gpu0 --networks resnet18 --measure networks --clocks 900MHz --duration 100ms --warm-up 10ms "
     "--out out/data --allow-control"},
    {"ergon sweep",
     "--device gpu0 --networks resnet18 --clocks 900MHz --repeat 1 --duration 50ms --warm-up 10ms "
     "--out out/sweep --allow-control"},
    {"ergon cap", "alexnet --device gpu0 --cap 150W --duration 500ms --allow-control"},
};

// Names the test's failures.
void PrintTo(const Invocation& invocation, std::ostream* out) {
  *out << invocation.prefix << invocation.command << " " << invocation.arguments;
}

std::string name_of_test(const testing::TestParamInfo<Invocation>& info) {
  std::string name;
  for (const char c : info.param.command) {
    if (c != ' ') name += c;
  }
  return name;
}

class FailingOutput : public testing::TestWithParam<Invocation> {
 protected:
  struct Run {
    test::ProcessResult ended;
    bool failed;  // a write did
  };

  void SetUp() override {
    const std::string program = fmt::format("#!/bin/sh\nLD_PRELOAD={} exec {}/ergon \"$@\"\n",
                                            ERGON_FAILING_WRITES_LIBRARY, ERGON_PROGRAMS);
    fs::create_directory(host_.path("bin"));
    ASSERT_TRUE(write_file(host_.path("bin/ergon"), program));
    fs::permissions(host_.path("bin/ergon"), fs::perms::owner_all);
    const auto prepared = host_.run(GetParam().preparation);
    ASSERT_EQ(prepared.exit_code, 0) << prepared.err;
  }

  // Runs the command with `option`. From the write number `first` on, all writes to the target fail.
  Run run(const std::string& option, const std::string& target, int first, int error) {
    const auto& [command, arguments, preparation, prefix, slow] = GetParam();
    fs::remove(host_.path("mark"));
    auto ended =
        host_.run(fmt::format("PATH=$PWD/bin:$PATH; rm -rf out; mkdir out; export ERGON_PROGRESS=records "
                              "ERGON_FAILING_WRITES={}:{}:{}:$PWD/mark; {}{}{} {}",
                              target, first, error, prefix, command, option, arguments));
    return {std::move(ended), fs::exists(host_.path("mark"))};
  }
  Run run(const std::string& option) { return run(option, "none", 1, 0); }

  // Calls check(run) for a fault in every write to the target.
  template <typename Check>
  void fail_each_write(const std::string& option, const std::string& target, int error, const Check& check) {
    constexpr int kMaxWrites = 200;
    for (int first = 1; first < kMaxWrites; ++first) {
      SCOPED_TRACE(fmt::format("{}, write {}, {}", option, first, errno_error(error).message));
      const Run ran = run(option, target, first, error);
      check_restored();
      if (!ran.failed) return;
      check(ran.ended);
    }
    ADD_FAILURE() << "too many writes";
  }

  static std::vector<int> errors() {
    return GetParam().slow ? std::vector{ENOSPC} : std::vector{EPIPE, ENOSPC, EIO};
  }

  void fail_standard_output(const std::string& option, int error) {
    fail_each_write(option, "1", error, [&](const test::ProcessResult& ended) {
      if (ended.exit_code == kExitInterrupted && !GetParam().prefix.empty()) return;
      EXPECT_EQ(ended.exit_code, error == EPIPE ? 141 : kExitFailed) << ended.err;
      const std::string message = error == EPIPE ? "" : "standard output: " + errno_error(error).message;
      EXPECT_EQ(ended.err.find("ergon: ") == std::string::npos, message.empty()) << ended.err;
      EXPECT_NE(ended.err.find(message), std::string::npos) << ended.err;
    });
  }

  void fail_standard_error(const std::string& option, int error) {
    const Run undisturbed = run(option);
    fail_each_write(option, "2", error, [&](const test::ProcessResult& ended) {
      EXPECT_EQ(ended.exit_code, undisturbed.ended.exit_code);
      EXPECT_EQ(ended.out.empty(), undisturbed.ended.out.empty());
    });
  }

  void fail_files() {
    if (GetParam().arguments.find("out/") == std::string::npos) return;
    fail_each_write("", host_.path("out").string(), ENOSPC, [&](const test::ProcessResult& ended) {
      EXPECT_EQ(ended.exit_code, kExitFailed);
      EXPECT_NE(ended.err.find("no space left on the disk"), std::string::npos) << ended.err;
      for (const auto& entry : fs::recursive_directory_iterator(host_.path("out")))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".ergon-")) << entry.path();
    });
  }

  // Of `ergon measure`, `profile`, `sweep` and `cap`; others have no journal.
  void check_restored() {
    if (!fs::exists(host_.path("state/leases"))) return;
    EXPECT_TRUE(test::is_free(host_.gpu()));
    for (const auto& entry : fs::directory_iterator(host_.path("state/leases"))) {
      if (entry.path().extension() != ".journal") continue;
      EXPECT_EQ(fs::file_size(entry.path()), 0U) << entry.path();
    }
  }

  const FakeHost host_{R"("devices": ["v100"])"};
};

TEST_P(FailingOutput, OfDataEndsTheCommand) {
  for (const int error : errors()) fail_standard_output("", error);
}

TEST_P(FailingOutput, OfADocumentEndsTheCommand) {
  if (GetParam().slow) return;  // written like its text
  for (const int error : errors()) fail_standard_output(" --json", error);
}

TEST_P(FailingOutput, OfMessagesChangesNothing) {
  for (const int error : errors()) fail_standard_error("", error);
}

TEST_P(FailingOutput, ToAFileLeavesNoTemporaryFile) { fail_files(); }

INSTANTIATE_TEST_SUITE_P(Of, FailingOutput, testing::ValuesIn(kInvocations), name_of_test);

using FailingOutputUnderControl = FailingOutput;

TEST_P(FailingOutputUnderControl, RestoresTheGpu) {
  fail_standard_output("", ENOSPC);
  fail_standard_error("", EPIPE);
  fail_files();
}

// A journal that cannot be written: nothing is changed, or it is restored now and the journal is cleared
// later.
TEST_P(FailingOutputUnderControl, OfTheJournalRestoresTheGpu) {
  constexpr int kMaxWrites = 50;
  for (int first = 1; first < kMaxWrites; ++first) {
    SCOPED_TRACE(first);
    const Run ran = run("", host_.path("state").string(), first, ENOSPC);
    EXPECT_TRUE(test::is_free(host_.gpu())) << ran.ended.err;
    EXPECT_EQ(host_.run("ergon devices -q").exit_code, kExitDone);
    check_restored();
    if (!ran.failed) return;
    EXPECT_EQ(ran.ended.exit_code, kExitFailed) << ran.ended.err;
  }
  ADD_FAILURE() << "too many writes";
}

INSTANTIATE_TEST_SUITE_P(Of, FailingOutputUnderControl, testing::ValuesIn(kControlling), name_of_test);

void insert_commands(const std::vector<Command>& commands, const std::string& parent,
                     std::set<std::string>& paths) {
  for (const Command& command : commands) {
    paths.insert(parent + " " + command.name);
    insert_commands(command.children, parent + " " + command.name, paths);
  }
}

TEST(FailingOutput, IsTestedForEveryCommand) {
  std::set<std::string> commands{"ergon"}, tested;
  insert_commands(builtin_commands(), "ergon", commands);
  for (const Invocation& invocation : kInvocations) tested.insert(invocation.command);
  EXPECT_EQ(tested, commands);
}

}  // namespace
}  // namespace ergon::app

#endif  // ERGON_FAILING_WRITES_LIBRARY
