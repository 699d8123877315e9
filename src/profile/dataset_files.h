#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "profile/dataset.h"

namespace ergon::profile {

// The files of a dataset, as they lie in its folder.
inline constexpr std::string_view kOperationsFile = "operations.csv";
inline constexpr std::string_view kNetworksFile = "networks.csv";
inline constexpr std::string_view kCompositionFile = "composition.csv";
inline constexpr std::string_view kProvenanceFile = "provenance.json";
// Of networks that came from files: what they are, without weights.
inline constexpr std::string_view kNetworksFolder = "networks";

std::filesystem::path rows_path(const std::filesystem::path& folder, Subject::What what);

// The files of its networks, by name.
std::vector<std::filesystem::path> kept_networks(const std::filesystem::path& folder);

// What a file holds, and how much of it is whole. A file that is not there holds nothing.
template <typename Thing>
struct Stored {
  std::vector<Thing> things;
  std::size_t size = 0;   // of the file
  std::size_t whole = 0;  // bytes of it that are
  // Its first line is what this version writes, so that more can be appended; or there is none.
  bool same_columns = true;
};
Result<Stored<Row>> load_rows(const std::filesystem::path& folder, Subject::What what);
Result<Stored<Composition>> load_compositions(const std::filesystem::path& folder);

// The sessions of provenance.json: session n is at n - 1. Errors: not_found if there is no such file.
Result<std::vector<nlohmann::ordered_json>> load_sessions(const std::filesystem::path& folder);
Result<> save_sessions(const std::filesystem::path& folder,
                       const std::vector<nlohmann::ordered_json>& sessions);

// The product that each UUID stands for; a simulated one says so.
std::map<std::string, std::string> products_of(const std::vector<nlohmann::ordered_json>& sessions);

// Of rows with one key only the last, of compositions of one network at one batch and mode too.
std::vector<Row> newest(std::vector<Row> rows);
std::vector<Composition> newest(std::vector<Composition> compositions);

}  // namespace ergon::profile
