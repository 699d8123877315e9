#include "support/transcript.h"

#include <algorithm>
#include <sstream>

#include "support/process.h"

namespace ergon::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// "[..]" matches anything.
bool line_matches(std::string_view pattern, std::string_view actual) {
  const auto hole = pattern.find("[..]");
  if (hole == std::string_view::npos) return pattern == actual;
  if (!actual.starts_with(pattern.substr(0, hole))) return false;
  for (std::size_t skip = hole; skip <= actual.size(); ++skip) {
    if (line_matches(pattern.substr(hole + 4), actual.substr(skip))) return true;
  }
  return false;
}

bool matches_from(const std::vector<std::string>& pattern, std::size_t p,
                  const std::vector<std::string>& actual, std::size_t a) {
  if (p == pattern.size()) return a == actual.size();
  if (pattern[p] == "...") {
    for (std::size_t skip = a; skip <= actual.size(); ++skip) {
      if (matches_from(pattern, p + 1, actual, skip)) return true;
    }
    return false;
  }
  return a < actual.size() && line_matches(pattern[p], actual[a]) &&
         matches_from(pattern, p + 1, actual, a + 1);
}

}  // namespace

bool output_matches(const std::vector<std::string>& pattern, const std::vector<std::string>& actual) {
  return matches_from(pattern, 0, actual, 0);
}

namespace {

// The actual lines, with the "[..]" of the expected lines where they still match.
std::vector<std::string> with_holes(const std::vector<std::string>& expected,
                                    std::vector<std::string> actual) {
  for (std::string& line : actual) {
    for (const std::string& pattern : expected) {
      if (pattern.find("[..]") != std::string::npos && line_matches(pattern, line)) {
        line = pattern;
        break;
      }
    }
  }
  return actual;
}

}  // namespace

TranscriptResult run_transcript(const std::string& text, const std::string& folder,
                                const std::map<std::string, std::string>& environment) {
  TranscriptResult result;
  const std::vector<std::string> lines = lines_of(text);
  constexpr std::string_view kSkip = "<!-- skip unless: ";
  const auto skip = std::find_if(lines.begin(), lines.end(),
                                 [&](const std::string& line) { return line.starts_with(kSkip); });
  if (skip != lines.end()) {
    const std::string condition = skip->substr(kSkip.size(), skip->rfind(" -->") - kSkip.size());
    result.skipped = run_shell(condition, folder, environment, true).exit_code != 0;
    if (result.skipped) {
      result.updated = text;
      return result;
    }
  }
  bool inside = false;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string& line = lines[i];
    if (!inside || !line.starts_with("$ ")) {
      if (line == "```console")
        inside = true;
      else if (line.starts_with("```"))
        inside = false;
      result.updated += line + "\n";
      ++i;
      continue;
    }
    const int command_line = static_cast<int>(i) + 1;
    std::string command = line.substr(2);
    result.updated += line + "\n";
    for (++i; i < lines.size() && lines[i].starts_with("> "); ++i) {
      command += "\n" + lines[i].substr(2);
      result.updated += lines[i] + "\n";
    }
    std::vector<std::string> expected;
    for (; i < lines.size() && !lines[i].starts_with("$ ") && !lines[i].starts_with("```"); ++i) {
      expected.push_back(lines[i]);
    }
    const ProcessResult ran = run_shell(command, folder, environment, true);
    std::vector<std::string> actual = lines_of(ran.out);
    if (ran.exit_code != 0) actual.push_back("[exit " + std::to_string(ran.exit_code) + "]");
    // A blank line may separate commands.
    std::vector<std::string> pattern = expected;
    std::string gap;
    if (!output_matches(pattern, actual) && !pattern.empty() && pattern.back().empty()) {
      pattern.pop_back();
      gap = "\n";
    }
    ++result.commands;
    if (output_matches(pattern, actual)) {
      result.updated += joined(expected);
    } else {
      result.mismatches.push_back({command_line, command, joined(expected), joined(actual)});
      result.updated += joined(with_holes(pattern, actual)) + gap;
    }
  }
  return result;
}

}  // namespace ergon::test
