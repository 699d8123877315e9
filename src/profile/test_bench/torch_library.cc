#include "profile/test_bench/torch_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/installation.h"

namespace ergon::profile {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libergon_torch.so";

// In the build tree the library is in lib/, beside libergon.so. An installation has it in a folder of its
// own: lib/ergon/ below the prefix, or lib/x86_64-linux-gnu/ergon/ where the system's libraries are there.
std::vector<fs::path> candidates() {
  const fs::path folder = own_file().parent_path();
  const fs::path prefix = folder.parent_path();
  return {prefix / "lib" / kFile, prefix / ERGON_LIBRARY_FOLDER / "ergon" / kFile, folder / kFile,
          folder / "ergon" / kFile};
}

fs::path library_file() {
  if (const char* named = std::getenv("ERGON_TORCH"); named != nullptr && *named != '\0') return named;
  const auto files = candidates();
  std::error_code ignored;
  for (const fs::path& file : files) {
    if (fs::exists(file, ignored)) return file;
  }
  return files.front();
}

Result<const torch::LibraryApi*> load() {
  const fs::path file = library_file();
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return fail(Errc::unsupported, "this build has no libtorch ({} is missing)", file.string());
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(Errc::unsupported, "cannot load libtorch: {}", ::dlerror());
  using ApiFunction = const torch::LibraryApi* (*)();
  const auto api = reinterpret_cast<ApiFunction>(::dlsym(library, torch::kLibraryApiSymbol));
  if (api == nullptr) return fail(Errc::unsupported, "{} is not {}", file.string(), kFile);
  return api();
}

}  // namespace

Result<const torch::LibraryApi*> torch_library() {
  static const Result<const torch::LibraryApi*> loaded = load();
  return loaded;
}

}  // namespace ergon::profile
