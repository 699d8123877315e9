// Runs one transcript against the real program: run_transcript FILE BIN_FOLDER REPOSITORY
// With ERGON_UPDATE_GOLDEN set, rewrites the file instead of complaining.

#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "support/temporary_folder.h"
#include "support/transcript.h"

constexpr int kSkipped = 77;

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string file = argv[1];
  const auto text = ergon::read_file(file);
  if (!text) {
    fmt::print("{}\n", text.error().message);
    return 1;
  }
  const ergon::test::TemporaryFolder folder;
  const char* const path = std::getenv("PATH");
  const auto result =
      ergon::test::run_transcript(*text, folder.path().string(),
                                  {{"PATH", fmt::format("{}:{}", argv[2], path == nullptr ? "" : path)},
                                   {"REPO", argv[3]},
                                   {"FAKE_NVML", fmt::format("{}/../fake-nvml/libnvidia-ml.so.1", argv[2])},
                                   {"LC_ALL", "C.UTF-8"},
                                   {"TERM", "dumb"}});
  if (result.skipped) {
    fmt::print("skipped: this machine cannot do what the first line asks for\n");
    return kSkipped;
  }
  if (std::getenv("ERGON_UPDATE_GOLDEN") != nullptr) {
    if (result.updated != *text) fmt::print("rewriting {}\n", file);
    const auto written =
        result.updated == *text ? ergon::Result<>{} : ergon::write_file(file, result.updated);
    return written ? 0 : 1;
  }
  for (const auto& mismatch : result.mismatches) {
    fmt::print("{}:{}: $ {}\n--- expected\n{}--- actual\n{}---\n", file, mismatch.line, mismatch.command,
               mismatch.expected, mismatch.actual);
  }
  fmt::print("{} commands, {} differ\n", result.commands, result.mismatches.size());
  return result.commands > 0 && result.mismatches.empty() ? 0 : 1;
}
