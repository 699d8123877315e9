#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "fleet/fleet_text.h"
#include "predict/xgboost/xgboost_learner.h"
#include "reproduce/all.h"
#include "reproduce/arada/reproduction.h"
#include "reproduce/batchsizer/reproduction.h"
#include "reproduce/reproduce_commands.h"
#include "reproduce/terascope/reproduction.h"
#include "reproduce/thesis/reproduction.h"
#include "reproduce/v100s/reproduction.h"
#include "sources/training_data.h"

namespace ergon::app {
namespace {

using reproduce::Reproduction;

reproduce::Environment environment_of(Shell& shell) {
  reproduce::Environment environment;
  environment.stop = shell.stop();
  environment.now = shell.clock().wall_now();
  environment.progress = [&shell](Progress::Work work) { return shell.progress(std::move(work)); };
  environment.notify = shell.notify();
  return environment;
}

Result<predict::TrainingDataByDevice> read_tables(const std::string& folder) {
  return sources::read_training_data({folder});
}

std::string analysis_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  return fleet_text(summary, {}, style);
}

Result<int> print_paper(const Result<Reproduction>& paper, bool claims_only, Shell& shell) {
  if (!paper) return paper.error();
  for (const std::string& missing : paper->missing_data) shell.note(missing);
  const auto printed = shell.json ? shell.print_document(paper->schema, paper->inputs,
                                                         paper->json(claims_only), paper->simulated)
                                  : shell.print_report(paper->text(shell.table_style(), claims_only));
  if (!printed) return printed.error();
  return all_hold(paper->claims) ? kExitDone : kExitClaimFailed;
}

void declare_claims(Options& options, bool& claims_only) {
  options.flag("--claims", claims_only, "print only the claims");
}

struct V100sSettings {
  std::string out;
  bool resume = false, claims_only = false;
};

Result<int> run_v100s(const V100sSettings& settings, Shell& shell) {
  if (settings.resume && settings.out.empty()) {
    shell.error("--resume needs --out DIR, the folder to continue");
    return kExitUsage;
  }
  std::optional<sweep::SweepFolder> folder;
  if (!settings.out.empty()) folder = {settings.out, settings.resume};
  return print_paper(reproduce::reproduce_v100s(folder, environment_of(shell)), settings.claims_only, shell);
}

Command v100s_command() {
  return {
      .name = "v100s",
      .summary = "V100S paper: 31 networks at 196 clocks, one image per execution",
      .description =
          "The 18,228 executions of Drechsler, Metz and Plump on the twin of a V100S, a verdict for every "
          "claim, and the same networks in steady inference. docs/sweep.md describes an execution.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<V100sSettings>();
        declare_claims(options, settings->claims_only);
        options.text("--out", settings->out, "DIR",
                     "folder for the runs, as written by `ergon sweep` (default: none)");
        options.flag("--resume", settings->resume, "continue an interrupted study in --out");
        return [settings](Shell& shell) { return run_v100s(*settings, shell); };
      },
  };
}

struct ThesisSettings {
  reproduce::ThesisOptions study;
  bool claims_only = false;
};

Result<int> run_thesis(const ThesisSettings& settings, Shell& shell) {
  if (settings.study.folds < 2) {
    shell.error("--folds: expected 2 or more");
    return kExitUsage;
  }
  reproduce::ThesisOptions study = settings.study;
  study.require_tables = study.folder.has_value();
  study.read_tables = read_tables;
  return print_paper(reproduce::reproduce_thesis(study, predict::XgboostLearner(), environment_of(shell)),
                     settings.claims_only, shell);
}

Command thesis_command() {
  return {
      .name = "thesis",
      .summary = "Nicolai's thesis: learned time and power, 18 networks at six clocks",
      .description =
          "Claims of C. Nicolai's thesis on an A30 and an RTX 2080 Ti, each with a verdict and its source: "
          "measured rows of the thesis, or the bundled predictors. Claims that need the measured tables are "
          "not checked without them.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ThesisSettings>();
        declare_claims(options, settings->claims_only);
        options.text("--data", settings->study.folder, "DIR",
                     "folder of a30_2080ti_operations.csv and a30_2080ti_networks.csv (default: "
                     "../shared/data/gpu)");
        options.count("--folds", settings->study.folds, "folds of the cross-validation (default: 15)");
        return [settings](Shell& shell) { return run_thesis(*settings, shell); };
      },
  };
}

Command batchsizer_command() {
  return {
      .name = "batchsizer",
      .summary = "BatchSizer: 20 jobs under power caps, by batch size and clock",
      .description =
          "The jobs of Nabavinejad, Reda and Ebrahimi on the twin of a P40 that is limited by its input: "
          "BatchSizer, DVFS, batchsizer+ and joint compared with an oracle, and a verdict for every claim. "
          "docs/reproduce-batchsizer.md describes the model of the input.",
      .declare = [](Options& options) -> Action {
        auto claims_only = std::make_shared<bool>(false);
        declare_claims(options, *claims_only);
        return [claims_only](Shell& shell) {
          return print_paper(reproduce::reproduce_batchsizer(environment_of(shell)), *claims_only, shell);
        };
      },
  };
}

Command arada_command() {
  return {
      .name = "arada",
      .summary = "ARADA: per-layer clocks and bandwidths of systolic arrays",
      .description =
          "Table 1 and Figures 3 and 5 to 8 for nine networks on eleven configurations, savings of optimal "
          "schedules, and a verdict for every claim.",
      .declare = [](Options& options) -> Action {
        auto claims_only = std::make_shared<bool>(false);
        declare_claims(options, *claims_only);
        return [claims_only](Shell& shell) {
          return print_paper(reproduce::reproduce_arada(environment_of(shell)), *claims_only, shell);
        };
      },
  };
}

struct TeraScopeSettings {
  std::string folder;
  bool claims_only = false;
};

Command terascope_command() {
  return {
      .name = "terascope",
      .summary = "TeraScope: events and samples of 1,024 GPUs that rendered a city",
      .description =
          "Numbers and conclusions of P. Pradeep's study, recomputed from its files, with events integrated "
          "from START to STOP. Reconstructed samples can replace gpu.csv, the study's GPU samples: they test "
          "the pipeline and say nothing about those GPUs.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<TeraScopeSettings>();
        declare_claims(options, settings->claims_only);
        options.text("--data", settings->folder, "DIR",
                     "folder of the study's files, plain or compressed (default: ../shared/data/fleet)");
        return [settings](Shell& shell) {
          return print_paper(
              reproduce::reproduce_terascope({settings->folder, analysis_text}, environment_of(shell)),
              settings->claims_only, shell);
        };
      },
  };
}

Command all_command() {
  return {
      .name = "all",
      .summary = "all five papers: the verdict of each claim, and a summary",
      .description =
          "Claims whose data files are missing are not checked; a note says where the files are. "
          "docs/reproduce.md describes them.",
      .declare = [](Options& options) -> Action {
        auto folder = std::make_shared<std::optional<std::string>>();
        options.text("--data", *folder, "DIR",
                     "folder of the data files, or of folders thesis and terascope (default: those of the "
                     "papers)");
        return [folder](Shell& shell) {
          return print_paper(reproduce::reproduce_all({*folder, read_tables}, predict::XgboostLearner(),
                                                      environment_of(shell)),
                             false, shell);
        };
      },
  };
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .summary = "published claims, compared with Ergon's results",
      .description =
          "Prints a verdict and a reason for each claim: exactly, approximately or no. Exit code 3: at least "
          "one claim does not hold.",
      .children = {v100s_command(), thesis_command(), batchsizer_command(), arada_command(),
                   terascope_command(), all_command()},
  };
}

}  // namespace ergon::app
