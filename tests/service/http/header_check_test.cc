#include "service/http/header_check.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(HeaderCheck, AcceptsWhatHasOneMeaning) {
  EXPECT_FALSE(ambiguity_of({}, true));
  EXPECT_FALSE(
      ambiguity_of({{"host", "x"}, {"content-length", "12"}, {"accept", "a"}, {"accept", "b"}}, true));
  EXPECT_FALSE(ambiguity_of({{"transfer-encoding", "Chunked"}}, true));
}

TEST(HeaderCheck, RejectsOtherCodings) {
  for (const char* coding :
       {"gzip", "identity", "xchunked", "chunked, identity", "gzip, chunked", "\"chunked\"", "", " "})
    EXPECT_TRUE(ambiguity_of({{"transfer-encoding", coding}}, true)) << coding;
  EXPECT_TRUE(ambiguity_of({{"transfer-encoding", "chunked"}}, false)) << "HTTP/1.0 has none";
  EXPECT_TRUE(ambiguity_of({{"transfer-encoding", "chunked"}, {"content-length", "3"}}, true));
}

TEST(HeaderCheck, RejectsLengthsThatAreNotOneNumber) {
  for (const char* length : {"", "-1", "+2", "0x2", "2, 2", "2,3", "2 ", "1e3"})
    EXPECT_TRUE(ambiguity_of({{"content-length", length}}, true)) << length;
}

TEST(HeaderCheck, RejectsRepeatedHeaders) {
  for (const char* name :
       {"host", "origin", "authorization", "content-length", "sec-fetch-site", "transfer-encoding"})
    EXPECT_TRUE(ambiguity_of({{name, "1"}, {"x", "1"}, {name, "1"}}, true)) << name;
}

}  // namespace
}  // namespace ergon::service
