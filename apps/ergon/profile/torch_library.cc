#include "profile/torch_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace ergon::app {
namespace {

std::filesystem::path library_file() {
  if (const char* named = std::getenv("ERGON_TORCH"); named != nullptr && *named != '\0') return named;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / "lib" / "libergon_torch.so";
}

Result<const profile::torch::LibraryApi*> load() {
  const std::filesystem::path file = library_file();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return fail(Errc::unsupported, "this build has no libtorch ({} is missing)", file.string());
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(Errc::unsupported, "cannot load libtorch: {}", ::dlerror());
  using ApiFunction = const profile::torch::LibraryApi* (*)();
  const auto api = reinterpret_cast<ApiFunction>(::dlsym(library, profile::torch::kLibraryApiSymbol));
  if (api == nullptr) return fail(Errc::unsupported, "{} is not libergon_torch.so", file.string());
  return api();
}

}  // namespace

Result<const profile::torch::LibraryApi*> torch_library() {
  static const Result<const profile::torch::LibraryApi*> loaded = load();
  return loaded;
}

}  // namespace ergon::app
