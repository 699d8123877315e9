#include "fleet/synthetic/folder.h"

#include <fstream>
#include <string>
#include <system_error>

#include "base/file.h"
#include "fleet/synthetic/generate.h"
#include "fleet/synthetic/identity.h"

namespace ergon::fleet::synthetic {
namespace {

namespace fs = std::filesystem;

// Whether the job of the first row has the mark of simulated jobs.
bool is_simulated(const fs::path& path) {
  std::ifstream file(path);
  std::string header, row;
  return std::getline(file, header) && std::getline(file, row) &&
         row.find(std::string(",\"") + kJobMark) != std::string::npos;
}

}  // namespace

Result<> prepare_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder, failed);
  if (fs::exists(status) && !fs::is_directory(status))
    return fail(Errc::invalid_input, "{} is a file, not a folder", folder.string());
  fs::create_directories(folder, failed);
  if (failed) return errno_error(failed.value()).in(folder.string());
  // The file of samples has no job column. The file of tiles is written first, so it decides for both.
  const bool ours = is_simulated(folder / kTilesFile);
  for (const char* name : {kCheckpointsFile, kSamplesFile, kTilesFile}) {
    const fs::path path = folder / name;
    const bool replaceable = name == kCheckpointsFile ? is_simulated(path) : ours;
    if (!replaceable && fs::exists(path, failed))
      return fail(Errc::invalid_input, "{} exists and is not a simulated file; choose another --out folder",
                  path.string());
  }
  return {};
}

}  // namespace ergon::fleet::synthetic
