#include "reproduce/reproduce_commands.h"

namespace ergon::app {

Command reproduce_command() {
  return {
      .name = "reproduce",
      .summary = "a paper's own claims beside what comes out here",
      .description =
          "Claim by claim: exactly, approximately, or no, and why. Ends with 3 when one does not hold.",
      .children = {reproduce_v100s_command(), reproduce_thesis_command(), reproduce_batchsizer_command(),
                   reproduce_arada_command(), reproduce_terascope_command()},
  };
}

}  // namespace ergon::app
