#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// Waits up to 30 s for a condition. False: timeout.
inline bool eventually(const std::function<bool()>& so) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// A script that replaces ergon. Commands:
//   reproduce WORD    quick: a document; claim: a document and exit code 3; fail: a message and exit code 1;
//                     mumble: a message with invalid UTF-8; odd: a document with invalid provenance; slow:
//                     waits for SIGINT; mute: exit code 7; usage: a usage error; crash, kill: ends by
//                     SIGSEGV, SIGKILL; hog: takes 50 MB of memory; heirs: the same in a child; chatter:
//                     writes 5 MB; flood: writes 100 MB; stubborn: ignores SIGINT; these five wait then
//   sweep             adds a row to its folder; waits for SIGINT the first time, ends the next time.
//                     networks=broken fails. `evaluate` prints the number of rows
//   cap               a decision every 50 ms with the cap of its file, until SIGINT. Power is 200 W.
// No command waits longer than a minute.
class ScriptProgram {
 public:
  ScriptProgram() {
    if (!write_file(path(), kText)) std::abort();
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }

  std::string path() const { return (folder_ / "program").string(); }

 private:
  static constexpr const char* kText = R"(#!/bin/sh
progress() { printf 'progress\t%s\t%s\t%s\t%s\n' "$@" >&2; }
behind() { # the word behind one: behind --out "$@"
  wanted=$1; shift
  while [ $# -gt 1 ]; do
    if [ "$1" = "$wanted" ]; then echo "$2"; return; fi
    shift
  done
}
stay() { i=0; while [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done; }
trap 'echo "ergon: interrupted" >&2; exit 130' INT
case "$1 $2" in
  "reproduce quick") echo '{"schema": "quick/1", "provenance": {"simulated": true}}' ;;
  "reproduce claim") echo '{"schema": "claim/1"}'; exit 3 ;;
  "reproduce fail")
    echo 'half a doc'; echo 'first words' >&2; progress x 1 2 y; echo 'last words' >&2; exit 1 ;;
  "reproduce mumble") printf 'oh \377 no\n' >&2; exit 1 ;;
  "reproduce odd") echo '{"schema": "odd/1", "provenance": {"simulated": "who knows"}}' ;;
  "reproduce slow") progress 'slow work' 3 10 MB; stay ;;
  "reproduce mute") exit 7 ;;
  "reproduce usage") echo 'ergon: --x is wrong' >&2; echo 'ergon: try: ergon reproduce --help' >&2; exit 2 ;;
  "reproduce crash") echo 'ergon: half done' >&2; kill -SEGV $$ ;;
  "reproduce kill") kill -KILL $$ ;;
  "reproduce hog") memory=$(head -c 50000000 /dev/zero | tr '\0' x); stay ;;
  "reproduce heirs") (memory=$(head -c 50000000 /dev/zero | tr '\0' x); stay) & wait; stay ;;
  "reproduce chatter") head -c 5000000 /dev/zero; stay ;;
  "reproduce flood") head -c 100000000 /dev/zero; stay ;;
  "reproduce stubborn") trap '' INT; progress 'slow work' 3 10 MB; stay ;;
  "reproduce words") printf '%s\n' "$@" ;;
  "sweep evaluate")
    [ -e "$3/rows" ] || { echo 'ergon: no rows' >&2; exit 1; }
    printf '{"schema": "ergon.sweep.evaluate/2", "rows": %s}\n' $(wc -l < "$3/rows") ;;
  "sweep "*)
    case "$*" in *networks=broken*) echo 'ergon: there is no such network' >&2; exit 1 ;; esac
    out=$(behind --out "$@")
    mkdir -p "$out" && echo row >> "$out/rows"
    progress sweeping 1 2 ''
    if [ $(wc -l < "$out/rows") -lt 2 ]; then stay; fi ;;
  "cap "*)
    cap=$(behind --cap-file "$@"); log=$(behind --log "$@")
    echo 'at_seconds,cap_watts,power_watts,batch,reason' > "$log"
    i=0
    while [ $i -lt 1000 ]; do
      watts=$(sed 's/W$//' "$cap")
      echo "$i,$watts,200,8,\"calm, so far\"" >> "$log"
      i=$((i + 1)); sleep 0.05
    done ;;
  *) echo "ergon: unknown command $1" >&2; exit 2 ;;
esac
)";

  TemporaryFolder folder_;
};

}  // namespace ergon::test
