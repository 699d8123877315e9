#include "reproduce/reproduce_commands.h"

namespace ergon::app {

Command reproduce_command() {
  return {
      .name = "reproduce",
      .summary = "published claims, compared with Ergon's results",
      .description =
          "Prints a verdict and a reason for each claim: exactly, approximately or no. Exit code 3: at least "
          "one "
          "claim does not hold.",
      .children = {reproduce_v100s_command(), reproduce_thesis_command(), reproduce_batchsizer_command(),
                   reproduce_arada_command(), reproduce_terascope_command()},
  };
}

}  // namespace ergon::app
