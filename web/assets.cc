#include "web/assets.h"

#ifdef ERGON_PAGES_BUILT

// The assembler embeds the files in the read-only data section.
#define ERGON_EMBED(name, file)               \
  asm(".pushsection .rodata\n"                \
      ".global ergon_" name                   \
      "\n"                                    \
      "ergon_" name                           \
      ":\n"                                   \
      ".incbin \"" ERGON_PAGES_BUILT "/" file \
      "\"\n"                                  \
      ".global ergon_" name                   \
      "_end\n"                                \
      "ergon_" name                           \
      "_end:\n"                               \
      ".byte 0\n"                             \
      ".popsection\n")

ERGON_EMBED("page", "index.html");
ERGON_EMBED("script", "app.js");
ERGON_EMBED("style", "app.css");
ERGON_EMBED("policy", "policy.txt");

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the labels above
extern const char ergon_page[], ergon_page_end[];
extern const char ergon_script[], ergon_script_end[];
extern const char ergon_style[], ergon_style_end[];
extern const char ergon_policy[], ergon_policy_end[];
// NOLINTEND(readability-identifier-naming)
}

namespace ergon::web {

report::PageAssets assets() {
  return {{ergon_page, ergon_page_end},
          {ergon_script, ergon_script_end},
          {ergon_style, ergon_style_end},
          {ergon_policy, ergon_policy_end}};
}

}  // namespace ergon::web

#else

namespace ergon::web {

report::PageAssets assets() { return {}; }

}  // namespace ergon::web

#endif
