#pragma once

/* What the fake library has besides NVML's functions: work for its GPUs, their true energy, and time. Plain
 * C.
 *
 * All return NVML's codes, 0 for success, and want nvmlInit() first. Devices go by their index. A client can
 * tell the fake from a driver by the symbol ergon_fake_nvml_version. docs/fake-nvml.md has the rest. */

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header: 1. The only one that works before nvmlInit(). */
int ergon_fake_nvml_version(void);

/* What the last failing call of this library, in any thread, had to say; "" if nothing. Valid until the next.
 */
const char* ergon_fake_nvml_last_error(void);

/* This process's context on a GPU; it also ends with the process. */
int ergon_fake_nvml_open_context(unsigned gpu);
int ergon_fake_nvml_close_context(unsigned gpu);

struct ErgonFakeNvmlLoad {
  const char* network;   /* of the zoo: "resnet50" */
  long long batch;       /* 0: 1 */
  const char* precision; /* "fp32", "tf32", "bf16", "fp16"; null: "tf32" */
  const char* mode;      /* "inference", "training"; null: "inference" */
  long long iterations;  /* 0: until it is stopped */
};

/* Begins work, in the place of what this process ran there before, and opens a context. Does not wait. Of
 * several processes' work the newest runs, until it is stopped; the others wait. */
int ergon_fake_nvml_run(unsigned gpu, const struct ErgonFakeNvmlLoad* load);
int ergon_fake_nvml_stop(unsigned gpu);

/* Since the world began. */
int ergon_fake_nvml_now(double* seconds);
/* Where the scenario's time is manual: lets time pass, for everybody. */
int ergon_fake_nvml_advance(double seconds);
/* Begins the world anew, for everybody: nothing has happened, and time is 0. */
int ergon_fake_nvml_reset(void);

/* What an ideal meter and the GPU itself know, now. */
struct ErgonFakeNvmlTruth {
  double seconds; /* the moment */
  double watts;
  double joules;     /* since the world began */
  double iterations; /* likewise, of all work */
  int running;       /* 1 while work runs */
};
int ergon_fake_nvml_truth(unsigned gpu, struct ErgonFakeNvmlTruth* truth);

/* What was set, in MHz; 0 where nothing is. */
struct ErgonFakeNvmlClocks {
  unsigned core_least, core_most, memory_least, memory_most, application_memory, application_core;
};
int ergon_fake_nvml_clocks(unsigned gpu, struct ErgonFakeNvmlClocks* clocks);

#ifdef __cplusplus
}
#endif
