#pragma once

#include "report/page.h"

namespace ergon::web {

// Web pages built by Vite and embedded in the program. Empty if the program was built without npm.
report::PageAssets assets();

}  // namespace ergon::web
