#include "service/api/openapi.h"

#include <fmt/format.h>

#include "base/version.h"
#include "service/api/endpoint.h"
#include "service/jobs/job.h"
#include "service/jobs/job_kind.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

std::string_view example_of(const Parameter& parameter) {
  if (parameter.name == "network") return "resnet50";
  if (parameter.name == "device") return "a30";
  return {};
}

Json value_schema(const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::flag) return {{"type", "boolean"}};
  if (parameter.kind == Parameter::Kind::number) return {{"type", "number"}};
  return {{"type", "string"}};
}

Json parameter_json(const Parameter& parameter) {
  Json json = {{"name", parameter.name},
               {"in", "query"},
               {"description", parameter.about},
               {"required", parameter.required},
               {"schema", value_schema(parameter)}};
  if (const auto example = example_of(parameter); !example.empty()) json["example"] = example;
  return json;
}

Json content(Json schema) { return {{"application/json", {{"schema", std::move(schema)}}}}; }
Json reference(std::string_view name) { return {{"$ref", fmt::format("#/components/schemas/{}", name)}}; }

Json responses(std::string_view what, Json schema, std::string_view status = "200") {
  return {{std::string(status), {{"description", what}, {"content", content(std::move(schema))}}},
          {"default", {{"description", "an error"}, {"content", content(reference("Error"))}}}};
}

Json document_schema(std::string_view schema) {
  return {{"allOf", {reference("Document"), {{"properties", {{"schema", {{"enum", {schema}}}}}}}}}};
}

Json endpoint_json(const Endpoint& endpoint) {
  Json parameters = Json::array();
  for (const Parameter& parameter : endpoint.parameters) parameters.push_back(parameter_json(parameter));
  return {{"get",
           {{"summary", endpoint.about},
            {"parameters", std::move(parameters)},
            {"responses", responses("the JSON document of the command", document_schema(endpoint.schema))}}}};
}

Json options_schema(const JobKind& kind) {
  Json properties = Json::object(), required = Json::array();
  for (const Parameter& parameter : kind.parameters) {
    Json value = value_schema(parameter);
    value["description"] = parameter.about;
    properties[std::string(parameter.name)] = std::move(value);
    if (parameter.required) required.push_back(parameter.name);
  }
  return {
      {"title", kind.command},
      {"description", kind.about},
      {"type", "object"},
      {"required", {"command", "options"}},
      {"properties",
       {{"command", {{"enum", {kind.command}}}},
        {"options",
         {{"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}}}}}};
}

Json body(Json schema) { return {{"required", true}, {"content", content(std::move(schema))}}; }

Json operation(std::string_view about, Json responses) {
  return {{"summary", about}, {"responses", std::move(responses)}};
}

Json listed(std::string_view name, std::string_view of) {
  return {{"type", "object"},
          {"required", {name}},
          {"properties", {{std::string(name), {{"type", "array"}, {"items", reference(of)}}}}}};
}

void add_job_paths(Json& paths) {
  const Json id = {{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}};
  const Json job = reference("Job");
  Json kinds = Json::array();
  for (const JobKind& kind : job_kinds()) kinds.push_back(options_schema(kind));
  Json starting = operation("start a job, or queue it", responses("the job", job, "201"));
  starting["requestBody"] = body({{"oneOf", std::move(kinds)}});
  paths["/jobs"] = {{"get", operation("all jobs, newest first", responses("jobs", listed("jobs", "Job")))},
                    {"post", std::move(starting)}};
  paths["/jobs/{id}"] = {
      {"parameters", {id}},
      {"get", operation("a job", responses("the job", job))},
      {"delete",
       operation("delete an ended job and its files",
                 {{"204", {{"description", "deleted"}}},
                  {"default", {{"description", "an error"}, {"content", content(reference("Error"))}}}})}};
  for (const auto& [action, about] : {std::pair{"cancel", "stop a job and keep its partial result"},
                                      {"resume", "resume a stopped job, or queue it"}}) {
    paths[fmt::format("/jobs/{{id}}/{}", action)] = {{"parameters", {id}},
                                                     {"post", operation(about, responses("the job", job))}};
  }
  Json capping = operation("change the power cap of a running cap job", responses("the job", job));
  capping["requestBody"] = body({{"type", "object"},
                                 {"required", {"watts"}},
                                 {"properties", {{"watts", {{"type", "number"}, {"minimum", 0}}}}}});
  paths["/jobs/{id}/cap"] = {{"parameters", {id}}, {"put", std::move(capping)}};
  paths["/jobs/{id}/result"] = {
      {"parameters", {id}},
      {"get", operation("the result of a job", responses("the document", reference("Document")))}};
  paths["/jobs/{id}/events"] = {
      {"parameters", {id}},
      {"get",
       operation(
           "server-sent events: job (a Job), decision (a row of a cap job's log; send its id back "
           "as Last-Event-ID to continue there) and end",
           {{"200", {{"description", "a stream"}, {"content", {{"text/event-stream", Json::object()}}}}},
            {"default", {{"description", "an error"}, {"content", content(reference("Error"))}}}})}};
}

void add_result_paths(Json& paths) {
  const Json id = {{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}};
  paths["/results"] = {
      {"get", operation("stored documents", responses("results", listed("results", "Result")))}};
  paths["/results/{id}"] = {
      {"parameters", {id}},
      {"get", operation("a stored document", responses("the document", reference("Document")))}};
  paths["/gauges"] = {{"get", operation("current readings of the devices",
                                        responses("readings", document_schema("ergon.gauges/2")))}};
  paths["/openapi.json"] = {
      {"get", operation("this description", responses("this description", {{"type", "object"}}))}};
}

Json object_of(const std::vector<std::pair<std::string, Json>>& fields) {
  Json properties = Json::object(), required = Json::array();
  for (const auto& [name, schema] : fields) {
    properties[name] = schema;
    required.push_back(name);
  }
  return {{"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}};
}

Json components() {
  const Json text = {{"type", "string"}}, truth = {{"type", "boolean"}}, whole = {{"type", "integer"}};
  const auto nullable = [](Json schema) {
    schema["nullable"] = true;
    return schema;
  };
  const Json texts = {{"type", "array"}, {"items", text}};
  Json schemas = Json::object();
  schemas["Error"] = object_of({{"error", object_of({{"kind", text}, {"message", text}})}});
  schemas["Document"] = object_of({{"schema", text},
                                   {"ergon", text},
                                   {"provenance", object_of({{"command", texts},
                                                             {"created", text},
                                                             {"commit", text},
                                                             {"inputs", texts},
                                                             {"simulated", truth}})}});
  const Json progress = object_of({{"label", text}, {"done", whole}, {"total", whole}, {"unit", text}});
  Json state = text;
  for (const std::string_view name : job_state_names()) state["enum"].push_back(name);
  schemas["Job"] = object_of({{"id", text},
                              {"command", text},
                              {"title", text},
                              {"state", state},
                              {"created", text},
                              {"ended", nullable(text)},
                              {"exit_code", nullable(whole)},
                              {"message", text},
                              {"progress", nullable(progress)},
                              {"resumable", truth},
                              {"result", truth},
                              {"simulated", truth},
                              {"cap_watts", nullable({{"type", "number"}})},
                              {"options", {{"type", "object"}}}});
  schemas["Result"] = object_of({{"id", text},
                                 {"title", text},
                                 {"schema", text},
                                 {"created", text},
                                 {"simulated", truth},
                                 {"bytes", whole}});
  return {{"schemas", std::move(schemas)},
          {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
}

}  // namespace

Json openapi() {
  Json paths = Json::object();
  for (const Endpoint& endpoint : endpoints()) paths[std::string(endpoint.path)] = endpoint_json(endpoint);
  add_job_paths(paths);
  add_result_paths(paths);
  return {
      {"openapi", "3.0.3"},
      {"info",
       {{"title", "Ergon"},
        {"version", build_facts().version},
        {"description",
         "API of `ergon serve`. Documents are those of --json (docs/json.md); parameters are command-line "
         "options. Requests need a token if the server was started with one."},
        {"license", {{"name", "Apache-2.0"}}}}},
      {"servers", {{{"url", "/api/v1"}}}},
      {"paths", std::move(paths)},
      {"components", components()}};
}

}  // namespace ergon::service
