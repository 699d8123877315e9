#include "report/document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(Document, CarriesSchemaVersionAndProvenance) {
  const std::string text = document("ergon.test/1",
                                    {.command = {"ergon", "test"},
                                     .created = *parse_timestamp("2026-01-02T03:04:05Z"),
                                     .inputs = {"a.csv"},
                                     .simulated = true},
                                    {{"rows", 3}});
  const Json json = Json::parse(text);
  EXPECT_EQ(json["schema"], "ergon.test/1");
  EXPECT_EQ(json["ergon"].get<std::string>().substr(0, 2), "0.");
  EXPECT_EQ(json["provenance"]["created"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(json["provenance"]["inputs"][0], "a.csv");
  EXPECT_EQ(json["provenance"]["command"].size(), 2u);
  EXPECT_EQ(json["provenance"]["simulated"], true);
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json.items().begin().key(), "schema");
}

TEST(Document, IsValidJsonForInvalidUtf8) {
  const std::string text = document("ergon.test/1", {}, {{"name", "\xff\xfe"}});
  EXPECT_TRUE(Json::accept(text));
}

TEST(TableJson, KeepsTypesAndWritesMissingValuesAsNull) {
  table::Table table;
  table.add("n", table::Column::of(std::vector<std::optional<std::int64_t>>{1, std::nullopt}));
  table.add("p", table::Column::of(std::vector<std::optional<double>>{0.5, 2}));
  table.add("t", table::Column::of(std::vector<std::optional<Timestamp>>{Timestamp{0}, std::nullopt}));
  table.add("s", table::Column::of(std::vector<std::optional<std::string>>{"x", std::nullopt}));
  EXPECT_EQ(
      table_json(table).dump(),
      R"({"columns":["n","p","t","s"],"rows":[[1,0.5,"1970-01-01T00:00:00Z","x"],[null,2.0,null,null]]})");
}

}  // namespace
}  // namespace ergon::report
