#include "systolic/trace/output_pattern.h"

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/stepped/trace.h"

namespace ergon::systolic {
namespace {

TEST(OutputPattern, MatchesTheTrace) {
  Random random(21);
  for (int i = 0; i < 150; ++i) {
    RandomCase c = random_case(random);
    c.row.channels = 1 + c.row.channels % 6;
    const auto g = geometry_of(c.row);
    ASSERT_TRUE(g);
    const auto m = map_layer(*g, c.machine.array, c.machine.dataflow);
    ASSERT_TRUE(m);
    const OutputPattern pattern(*m);
    const stepped::Trace trace(*g, *m);
    std::int64_t words = 0;
    for (std::int64_t line = 0; line < m->lines(); ++line) {
      ASSERT_EQ(pattern.before(line), words) << c << " line " << line;
      for (const std::int64_t address :
           trace.line(line / m->lines_per_fold, line % m->lines_per_fold).ofmap) {
        if (!stepped::asks(address)) continue;
        ASSERT_EQ(pattern.line_of(words), line) << c;
        ++words;
      }
    }
    ASSERT_EQ(pattern.total(), words) << c;
  }
}

}  // namespace
}  // namespace ergon::systolic
