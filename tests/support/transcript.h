#pragma once

#include <map>
#include <string>
#include <vector>

namespace ergon::test {

// A transcript is a Markdown file whose ```console blocks are run and compared:
//
//   ```console
//   $ ergon table describe nope.csv
//   ergon: nope.csv: no such file
//   [exit 1]
//   ```
//
// Output is standard output and standard error together; "[exit N]" follows if N is not 0. In the expected
// text "[..]" matches anything within a line, and a line "..." any number of lines. A line that begins with
// "> " continues a command. All commands of a file run in one folder, which is empty at first. The line
// "<!-- skip unless: COMMAND -->" skips the file if that command fails.

struct Mismatch {
  int line = 0;  // of the command in the file
  std::string command;
  std::string expected;
  std::string actual;
};

struct TranscriptResult {
  bool skipped = false;
  int commands = 0;
  std::vector<Mismatch> mismatches;
  std::string updated;  // the file as it would be with the actual output
};

TranscriptResult run_transcript(const std::string& text, const std::string& folder,
                                const std::map<std::string, std::string>& environment);

// True if the output matches the pattern lines.
bool output_matches(const std::vector<std::string>& pattern, const std::vector<std::string>& actual);

}  // namespace ergon::test
