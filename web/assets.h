#pragma once

#include "report/page.h"

namespace ergon::web {

// What Vite made of this folder, as it lies in the program. All empty where it was built without npm.
report::PageAssets assets();

}  // namespace ergon::web
