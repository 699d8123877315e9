#include "service/api/openapi.h"

#include <set>

#include <gtest/gtest.h>

#include "service/api/endpoint.h"
#include "service/jobs/job.h"
#include "service/jobs/job_kind.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

void collect_references(const Json& json, std::set<std::string>& into) {
  if (json.is_object() && json.contains("$ref")) into.insert(json["$ref"].get<std::string>());
  for (const auto& each : json) {
    if (each.is_structured()) collect_references(each, into);
  }
}

std::set<std::string> names_in(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST(OpenApi, IsValidJson) {
  const Json described = openapi();
  EXPECT_EQ(Json::parse(described.dump()), described);
  EXPECT_TRUE(described["openapi"].get<std::string>().starts_with("3.0."));
  EXPECT_FALSE(described["info"]["version"].get<std::string>().empty());
  EXPECT_EQ(described["servers"][0]["url"], kApi);
}

TEST(OpenApi, ListsEveryEndpointWithItsParameters) {
  const Json described = openapi();
  const Json& paths = described["paths"];
  for (const Endpoint& endpoint : endpoints()) {
    const std::string path(endpoint.path);
    ASSERT_TRUE(paths.contains(path)) << path;
    const Json& get = paths[path]["get"];
    std::set<std::string> listed, known;
    for (const Json& parameter : get["parameters"]) {
      EXPECT_EQ(parameter["in"], "query");
      EXPECT_FALSE(parameter["description"].get<std::string>().empty()) << path;
      EXPECT_TRUE(listed.insert(parameter["name"].get<std::string>()).second)
          << path << " " << parameter["name"];
    }
    for (const Parameter& parameter : endpoint.parameters) known.insert(std::string(parameter.name));
    EXPECT_EQ(listed, known) << path;
    EXPECT_NE(get["responses"]["200"].dump().find('"' + std::string(endpoint.schema) + '"'),
              std::string::npos);
    EXPECT_FALSE(get["summary"].get<std::string>().empty());
  }
}

TEST(OpenApi, RequiredParametersHaveAnExample) {
  const Json described = openapi();
  for (const Endpoint& endpoint : endpoints()) {
    for (const Json& parameter : described["paths"][std::string(endpoint.path)]["get"]["parameters"]) {
      EXPECT_EQ(parameter["required"].get<bool>() && !parameter.contains("example"), false)
          << endpoint.path << " " << parameter["name"];
    }
  }
}

TEST(OpenApi, ListsEveryJobKindWithItsOptions) {
  const Json described = openapi();
  const Json& kinds =
      described["paths"]["/jobs"]["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"];
  ASSERT_EQ(kinds.size(), job_kinds().size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const JobKind& kind = job_kinds()[i];
    EXPECT_EQ(kinds[i]["properties"]["command"]["enum"], Json::array({kind.command}));
    const Json& options = kinds[i]["properties"]["options"];
    std::set<std::string> known, required;
    for (const Parameter& parameter : kind.parameters) {
      known.insert(std::string(parameter.name));
      if (parameter.required) required.insert(std::string(parameter.name));
    }
    EXPECT_EQ(names_in(options["properties"]), known);
    EXPECT_EQ(options["required"].get<std::set<std::string>>(), required);
  }
}

TEST(OpenApi, AllReferencesResolve) {
  const Json described = openapi();
  std::set<std::string> references;
  collect_references(described, references);
  EXPECT_GE(references.size(), 4u);
  for (const std::string& reference : references) {
    ASSERT_TRUE(reference.starts_with("#/")) << reference;
    EXPECT_TRUE(described.contains(Json::json_pointer(reference.substr(1)))) << reference;
  }
  for (const std::string& name : names_in(described["components"]["schemas"]))
    EXPECT_TRUE(references.contains("#/components/schemas/" + name)) << name << " is not referenced";
}

// OpenAPI 3.0: path parameters are declared, and every operation has a response.
TEST(OpenApi, PathsAndOperationsAreComplete) {
  const std::set<std::string> methods{"get", "put", "post", "delete"};
  const Json described = openapi();
  for (const auto& [path, item] : described["paths"].items()) {
    EXPECT_TRUE(path.starts_with('/')) << path;
    const bool has_id = path.find("{id}") != std::string::npos;
    EXPECT_EQ(has_id, item.contains("parameters")) << path;
    if (has_id) {
      ASSERT_EQ(item["parameters"].size(), 1u);
      EXPECT_EQ(item["parameters"][0]["name"], "id");
      EXPECT_EQ(item["parameters"][0]["in"], "path");
      EXPECT_EQ(item["parameters"][0]["required"], true);
    }
    int operations = 0;
    for (const auto& [name, operation] : item.items()) {
      if (name == "parameters") continue;
      EXPECT_TRUE(methods.contains(name)) << path << " " << name;
      ++operations;
      ASSERT_TRUE(operation["responses"].is_object()) << path;
      for (const auto& [status, response] : operation["responses"].items())
        EXPECT_TRUE(response.contains("description")) << path << " " << status;
      if (operation.contains("requestBody")) {
        EXPECT_TRUE(operation["requestBody"]["content"].contains("application/json")) << path;
      }
    }
    EXPECT_GT(operations, 0) << path;
  }
}

TEST(OpenApi, DescribesAllFieldsOfAJob) {
  const Json described = openapi();
  const Json& schema = described["components"]["schemas"]["Job"];
  EXPECT_EQ(names_in(schema["properties"]), names_in(job_json(Job{})));
  EXPECT_EQ(schema["required"].size(), schema["properties"].size());
  std::set<std::string> states;
  for (const JobState state : {JobState::queued, JobState::running, JobState::done, JobState::failed,
                               JobState::cancelled, JobState::interrupted})
    states.insert(std::string(name_of(state)));
  EXPECT_EQ(schema["properties"]["state"]["enum"].get<std::set<std::string>>(), states);
}

}  // namespace
}  // namespace ergon::service
