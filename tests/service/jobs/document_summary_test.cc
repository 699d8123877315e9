#include "service/jobs/document_summary.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

class DocumentSummaryTest : public testing::Test {
 protected:
  std::optional<DocumentSummary> summary(const std::string& text) const {
    if (!write_file(folder_ / "a.json", text)) ADD_FAILURE();
    return summary_of_document(folder_ / "a.json");
  }

  test::TemporaryFolder folder_;
};

TEST_F(DocumentSummaryTest, ReadsSchemaAndProvenance) {
  for (
      const char* text :
      {R"({"schema": "a/1", "provenance": {"created": "2018", "inputs": [{"created": 1}], "simulated": true}})",
       R"({"provenance": {"simulated": true, "more": {"created": "x"}, "created": "2018"}, "schema": "a/1"})",
       R"({"d": {"schema": "b", "provenance": {"created": "x"}}, "schema": "a/1",)"
       R"( "provenance": {"created": "2018", "simulated": true}, "d": [{}]})"}) {
    const auto found = summary(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->schema, "a/1") << text;
    EXPECT_EQ(found->created, "2018") << text;
    EXPECT_TRUE(found->simulated) << text;
  }
}

TEST_F(DocumentSummaryTest, ToleratesOtherProvenance) {
  for (const char* text : {R"({"schema": "a/1"})", R"({"schema": "a/1", "provenance": 7})",
                           R"({"schema": "a/1", "provenance": [{"created": "x", "simulated": true}]})",
                           R"({"schema": "a/1", "provenance": {"created": 7, "simulated": "x"}})"}) {
    const auto found = summary(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->created, "") << text;
    EXPECT_FALSE(found->simulated) << text;
  }
}

TEST_F(DocumentSummaryTest, IsEmptyForOtherFiles) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("[]"), std::string("\"schema\""), std::string("{}"),
        std::string(R"([{"schema": "a/1"}])"), std::string(R"({"schema": 7})"),
        std::string(R"({"d": {"schema": "a/1"}})"), std::string(R"({"schema": "a/1")"),
        std::string(R"({"schema": "a/1", "d": x})"), R"({"schema": "a/1", "d": )" + std::string(200, '[')})
    EXPECT_FALSE(summary(text)) << text;
  EXPECT_FALSE(summary_of_document(folder_.path()));
  EXPECT_FALSE(summary_of_document(folder_ / "missing"));
}

TEST_F(DocumentSummaryTest, ReadsTheStartOfALargeFile) {
  const std::string rest(1'000'000, ' ');
  EXPECT_TRUE(summary(R"({"schema": "a/1", "d": ")" + rest));
  EXPECT_TRUE(summary(R"({"schema": "a/1", "provenance": {}, "d": x)" + rest));
  EXPECT_FALSE(summary(R"({"schema": "a/1", "d": x)" + rest));
  EXPECT_FALSE(summary(rest + R"({"schema": "a/1"})"));
}

}  // namespace
}  // namespace ergon::service
