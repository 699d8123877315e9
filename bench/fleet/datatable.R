#!/usr/bin/env -S Rscript --vanilla
# The fleet benchmark's job in R's data.table: power, temperature, utilization and duration of every event name.
#   Rscript --vanilla datatable.R CHECKPOINTS GPU [TASKS]          prints one line of JSON
suppressPackageStartupMessages(library(data.table))

paths <- commandArgs(trailingOnly = TRUE)
if (length(paths) < 2) {
  message("usage: datatable.R CHECKPOINTS GPU [TASKS]")
  quit(status = 2)
}
setDTthreads(0)  # all cores; the default is half of them
invisible(compiler::enableJIT(0))  # everything runs once, so compiling costs more than it saves

started <- proc.time()[["elapsed"]]

# Factors turn sorting, joining and grouping into integer operations.
event <- fread(paths[1], colClasses = list(
  POSIXct = "timestamp", factor = c("hostname", "eventName", "eventType", "jobId", "taskId")))
sample <- fread(paths[2], select = list(
  POSIXct = "timestamp", factor = "hostname", numeric = "powerDrawWatt", integer = c("gpuTempC", "gpuUtilPerc")))

# Integer milliseconds, so that ties are exact; fractional seconds would hide some in the last bit.
for (table in list(event, sample)) {
  table[, ms := round(as.numeric(timestamp) * 1000)]
  table[, timestamp := NULL]
  setkey(table, hostname, ms)
}

# roll = "nearest" gives ties to the earlier sample, which is the rule.
readings <- sample[event, roll = "nearest", mult = "first", .(eventName, powerDrawWatt, gpuTempC, gpuUtilPerc)][
  , lapply(.SD, mean), by = eventName]

# The k-th START of an event goes with its k-th STOP; rows without a partner are skipped.
event[, k := rowid(hostname, jobId, taskId, eventName, eventType)]
durations <- event[eventType == "STOP"][
  event[eventType == "START"], on = .(hostname, jobId, taskId, eventName, k), nomatch = NULL,
  .(eventName, duration = ms - i.ms)][, .(n = .N, duration = mean(duration)), by = eventName]

answers <- readings[durations, on = "eventName"][order(as.character(eventName))]
seconds <- proc.time()[["elapsed"]] - started

events <- answers[, sprintf(paste0(
  '{"name": "%s", "n": %d, "duration_ms": %.15g, "power_watts": %.15g, "temperature_celsius": %.15g, ',
  '"utilization": %.15g}'), eventName, n, duration, powerDrawWatt, gpuTempC, gpuUtilPerc)]
cat(sprintf('{"tool": "data.table %s (R %s.%s)", "seconds": %.3f, "events": [%s]}\n', packageVersion("data.table"),
  R.version$major, R.version$minor, seconds, paste(events, collapse = ", ")))
