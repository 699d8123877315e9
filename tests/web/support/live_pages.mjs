// Pages of the dashboard: route, heading, form fields, text, and number of charts drawn initially.

export const livePages = [
  { route: "", heading: "Overview", charts: 1,
    shows: /Devices now[^]*v100-0[^]*\d\sW[^]*a30-1[^]*Energy since the server started[^]*Running jobs[^]*Latest results[^]*What can I do here\?[^]*Networks/ },
  { route: "networks?network=resnet50", heading: "Networks", charts: 3,
    forms: { "Inspect a network": ["network", "size", "sequence", "batch", "mode"] } },
  { route: "predict?network=resnet50&device=h200&batch=32", heading: "Predict", charts: 4,
    forms: { "Predict a network": ["network", "size", "sequence", "device", "batch", "mode", "precision", "clock", "power-limit"],
             "Operating point": ["at-clock", "at-batch", "at-precision"] } },
  { route: "allocate?network=scalesim/MobileNet", heading: "Allocate", charts: 2,
    forms: { "Allocate clocks and bandwidths": ["on", "network", "accelerator", "memory", "scheme", "device", "batch", "mode",
                                                "precision", "gpu-scheme", "slack"] } },
  { route: "devices", heading: "Devices", charts: 2, shows: /v100-0[^]*\d\sW\s+limit 250\sW[^]*a30-1[^]*Twins/ },
  { route: "sweep", heading: "Sweep", charts: 0, shows: /Sweeps[^]*No sweep yet/,
    forms: { "Sweep networks over clocks": ["device", "clocks", "repeat", "batch", "scenario", "networks"] } },
  { route: "cap", heading: "Cap", charts: 0, shows: /Cap runs[^]*No cap run yet/,
    forms: { "Hold a power cap": ["network", "device", "watts", "controller", "duration", "max-latency", "arrivals"] } },
  { route: "fleet", heading: "Fleet", charts: 0, shows: /Simulated fleets[^]*No fleet yet[^]*Stored analyses/,
    forms: { "Simulate and analyze a fleet": ["hosts", "hours", "seed", "loss", "skew", "price-kwh"] } },
  { route: "jobs", heading: "Jobs", charts: 0, shows: /No jobs yet[^]*New profile[^]*New reproduction/,
    forms: { "Profile networks": ["device", "batch", "mode", "measure", "precision", "networks"], "Reproduce a paper": ["paper"] } },
  { route: "results", heading: "Results", charts: 0, shows: /ergon\.inspect\/1/ },
];
