#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "service/jobs/line_tail.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

// The lines do not depend on write and read boundaries.
RC_GTEST_PROP(LineTailProperty, IsIndependentOfTheWriteBoundaries, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("a\n,\0\xff\r", 6)));
  const test::TemporaryFolder folder;
  LineTail tail(folder / "log");
  std::ofstream file(folder / "log", std::ios::binary);
  std::vector<std::string> told;
  const auto look = [&] {
    for (std::string& line : tail.read_new_lines()) told.push_back(std::move(line));
  };
  for (const char c : text) {
    file << c;
    if (*rc::gen::inRange(0, 3) == 0) file.flush();
    if (*rc::gen::inRange(0, 3) == 0) look();
  }
  file.flush();
  look();
  std::vector<std::string> expected;
  for (const auto line : split(text, '\n')) expected.emplace_back(line);
  expected.pop_back();  // what stands behind the last end of a line
  RC_ASSERT(told == expected);
}

}  // namespace
}  // namespace ergon::service
