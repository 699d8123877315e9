#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/jobs/job.h"
#include "service/jobs/job_execution.h"

namespace ergon::service {
namespace {

std::string plain_text() {
  return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab \"\\\n\t<{")));
}

// Round trip through a file. Fields that are not stored are empty afterwards.
RC_GTEST_PROP(JobProperty, SurvivesARoundTrip, ()) {
  Job job;
  job.id =
      "a" + *rc::gen::resize(20, rc::gen::container<std::string>(rc::gen::elementOf(std::string("az09-"))));
  job.command = plain_text();
  job.title = plain_text();
  job.message = plain_text();
  job.state = *rc::gen::element(JobState::queued, JobState::running, JobState::done, JobState::failed,
                                JobState::cancelled, JobState::interrupted);
  job.created = Timestamp{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000'000)};
  if (*rc::gen::arbitrary<bool>())
    job.ended = Timestamp{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000'000)};
  if (*rc::gen::arbitrary<bool>()) job.exit_code = *rc::gen::inRange(0, 256);
  job.resumable = *rc::gen::arbitrary<bool>();
  job.result = *rc::gen::arbitrary<bool>();
  job.simulated = *rc::gen::arbitrary<bool>();
  job.options = {{plain_text(), plain_text()}, {"repeat", 3}};
  if (*rc::gen::arbitrary<bool>()) job.progress = JobProgress{"x", "y", 1, 2};
  if (*rc::gen::arbitrary<bool>()) job.cap = Watts{200};
  const std::string text = job_json(job).dump(1);
  const auto back = job_of(nlohmann::ordered_json::parse(text));
  RC_ASSERT(bool(back));
  RC_ASSERT(!back->progress && !back->cap);
  Job kept = job;
  kept.progress.reset();
  kept.cap.reset();
  RC_ASSERT(job_json(*back) == job_json(kept));
  RC_ASSERT(back->created == job.created);
  RC_ASSERT(back->ended == job.ended);
}

RC_GTEST_PROP(JobProperty, ParsesProgressRecords, (std::uint32_t done, std::uint32_t total)) {
  const std::string label = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab :/")));
  const std::string unit = *rc::gen::element<std::string>("", "MB");
  const std::string line =
      "progress\t" + label + "\t" + std::to_string(done) + "\t" + std::to_string(total) + "\t" + unit;
  const auto read = progress_of(line);
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == (JobProgress{label, unit, done, total}));
}

// Arbitrary lines of standard error.
RC_GTEST_PROP(JobProperty, IgnoresOtherLines, ()) {
  const auto line = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("progress\t1-x")));
  const auto read = progress_of(line);
  if (read) RC_ASSERT(line.starts_with("progress\t"));
  RC_ASSERT(!progress_of("x" + line));
  RC_ASSERT(!progress_of("progress\ta\t-1\t2\tb"));
  RC_ASSERT(!progress_of("progress\ta\t1\t2"));
  RC_ASSERT(!progress_of("progress\ta\t1\t2\tb\tc"));
}

}  // namespace
}  // namespace ergon::service
