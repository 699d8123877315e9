#include "profile/composition_csv.h"

#include <gtest/gtest.h>

#include "profile/some_rows.h"

namespace ergon::profile {
namespace {

TEST(CompositionCsv, EndsWithALineThatCountsItsParts) {
  EXPECT_EQ(composition_header() + composition_lines(test::some_composition(1)),
            "network,batch,mode,operation,count\n"
            "net1,32,training,0000000000000010,1\n"
            "net1,32,training,0000000000000011,2\n"
            "net1,32,training,,2\n");
}

TEST(CompositionCsv, ErrorsNameTheLine) {
  const auto message = [](std::string_view lines) {
    const auto parsed = parse_compositions(composition_header() + std::string(lines), "c.csv");
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_EQ(message("a,1,training,x,1\nb,1,training,x,1\n"),
            "c.csv:3: the composition of a above is incomplete");
  EXPECT_EQ(message("a,1,training,x,1\na,1,training,,2\n"), "c.csv:3: expected 2 parts, found 1");
  EXPECT_EQ(message("a,0,training,x,1\n"), "c.csv:2: batch: expected a whole number above 0, not \"0\"");
  EXPECT_EQ(message("a,1,training,x,-1\n"), "c.csv:2: count: expected a whole number, not \"-1\"");
  EXPECT_EQ(message(",1,training,x,1\n"), "c.csv:2: network: expected a name, not \"\"");
  EXPECT_EQ(message("a,1,sleeping,x,1\n"), "c.csv:2: mode: expected inference or training, not \"sleeping\"");
}

}  // namespace
}  // namespace ergon::profile
