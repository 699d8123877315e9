#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "service/api/openapi.h"

namespace ergon::app {
namespace {

TEST(OpenApiFile, MatchesTheServer) {
  const std::string file = ERGON_REPOSITORY "/docs/openapi.json";
  const std::string now = service::openapi().dump(1) + "\n";
  if (std::getenv("ERGON_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file(file, now));
    return;
  }
  EXPECT_EQ(read_file(file).value_or(""), now) << "make golden writes it again";
}

}  // namespace
}  // namespace ergon::app
