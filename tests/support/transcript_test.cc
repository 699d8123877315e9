#include "support/transcript.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::test {
namespace {

TranscriptResult run(const std::string& text) {
  const TemporaryFolder folder;
  return run_transcript(text, folder.path().string(), {{"WORD", "blue"}});
}

TEST(Transcript, AgreesWithWhatTheShellPrints) {
  const auto result =
      run("# Title\n\n```console\n$ echo $WORD\nblue\n\n$ echo bad >&2; exit 3\nbad\n[exit 3]\n```\n");
  EXPECT_EQ(result.commands, 2);
  EXPECT_TRUE(result.mismatches.empty());
}

TEST(Transcript, SeesDifferencesInOutputAndExitCode) {
  const auto result = run("```console\n$ echo red\nblue\n$ false\n$ echo more\n```\n");
  ASSERT_EQ(result.mismatches.size(), 3u);
  EXPECT_EQ(result.mismatches[0].line, 2);
  EXPECT_EQ(result.mismatches[1].actual, "[exit 1]\n");
  EXPECT_EQ(result.updated, "```console\n$ echo red\nred\n$ false\n[exit 1]\n$ echo more\nmore\n```\n");
}

TEST(Transcript, SkipsWhereTheFirstLineFails) {
  EXPECT_TRUE(run("<!-- skip unless: test -d /nowhere -->\n```console\n$ false\n```\n").skipped);
  EXPECT_TRUE(run("# Title\n\n<!-- skip unless: test -d /nowhere -->\n```console\n$ false\n```\n").skipped);
  EXPECT_FALSE(run("<!-- skip unless: test -d / -->\n```console\n$ true\n```\n").skipped);
}

TEST(Transcript, AnUpdateKeepsHolesThatStillMatch) {
  const auto result = run("```console\n$ printf 'took 3 s\\nnew\\n'\ntook [..] s\nold\n```\n");
  EXPECT_EQ(result.updated, "```console\n$ printf 'took 3 s\\nnew\\n'\ntook [..] s\nnew\n```\n");
}

TEST(Transcript, RunsOnlyConsoleBlocksAndKeepsProse) {
  const std::string text = "```sh\n$ exit 9\n```\n$ exit 9\n";
  const auto result = run(text);
  EXPECT_EQ(result.commands, 0);
  EXPECT_EQ(result.updated, text);
}

TEST(Transcript, CommandsShareAFolderAndMayHaveSeveralLines) {
  const auto result = run("```console\n$ cat > f <<END\n> a b\n> END\n$ cat f\na b\n```\n");
  EXPECT_EQ(result.commands, 2);
  EXPECT_TRUE(result.mismatches.empty());
}

TEST(OutputMatches, HolesWithinLinesAndAcrossThem) {
  EXPECT_TRUE(output_matches({"took [..] s"}, {"took 3.5 s"}));
  EXPECT_FALSE(output_matches({"took [..] s"}, {"took 3.5 ms "}));
  EXPECT_TRUE(output_matches({"a", "...", "z"}, {"a", "b", "c", "z"}));
  EXPECT_TRUE(output_matches({"a", "...", "z"}, {"a", "z"}));
  EXPECT_FALSE(output_matches({"a", "...", "z"}, {"a", "b"}));
  EXPECT_FALSE(output_matches({}, {"a"}));
}

}  // namespace
}  // namespace ergon::test
