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
// Output is standard output and error together; "[exit N]" ends it where N is not 0. In the expected text
// "[..]" stands for anything within a line, and a line "..." for any number of lines. Lines beginning with ">
// " continue a command. All commands of a file run in one folder that is empty at first. A first line "<!--
// skip unless: COMMAND -->" skips the file where that command fails.

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

// Whether an output is what the pattern lines say.
bool output_matches(const std::vector<std::string>& pattern, const std::vector<std::string>& actual);

}  // namespace ergon::test
