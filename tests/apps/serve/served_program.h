#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/raw_http.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// Waits up to a minute for a condition.
inline bool comes_true(const std::function<bool()>& so) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// An option for ServedProgram: the server creates its token.
inline constexpr const char* kCreatedToken = "created-token";

// `ergon serve` on a free loopback port with its own folder, without a token unless one is given. Ends with
// the test.
class ServedProgram {
 public:
  using Headers = std::map<std::string, std::string>;
  using Json = nlohmann::json;

  // Returns when the server has printed its address, or immediately.
  ServedProgram(const std::filesystem::path& folder, const std::vector<std::string>& options,
                const Headers& environment = {}, bool at_once = false)
      : folder_(folder) {
    std::vector<std::string> words = {
        std::string(ERGON_PROGRAMS) + "/ergon", "serve", "--port", "0", "--results", "results"};
    words.insert(words.end(), options.begin(), options.end());
    const bool has_token = environment.count("ERGON_TOKEN") > 0 ||
                           std::any_of(options.begin(), options.end(),
                                       [](const std::string& each) { return each.starts_with("--token"); });
    if (!has_token && std::erase(words, kCreatedToken) == 0) words.push_back("--no-token");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (folder / "serve.out").string(), err = (folder / "serve.err").string();
    std::filesystem::remove(out);
    const std::string home = folder.string();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int nothing = ::open("/dev/null", O_RDONLY);
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      ::close_range(STDERR_FILENO + 1, ~0U, 0);
      ::unsetenv("ERGON_TOKEN");
      ::setenv("HOME", home.c_str(), 1);
      for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
      if (::chdir(home.c_str()) != 0) ::_exit(126);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    if (at_once) return;
    comes_true([&] { return said().find("Ctrl-C") != std::string::npos || ended(); });
    const std::string address = "http://127.0.0.1:";
    const auto place = said().find(address);
    if (place != std::string::npos) port_ = std::atoi(said().c_str() + place + address.size());
  }
  ServedProgram(const ServedProgram&) = delete;
  ServedProgram& operator=(const ServedProgram&) = delete;
  ~ServedProgram() {
    if (!ended()) signalled(SIGINT, std::chrono::seconds(20));
  }

  int port() const { return port_; }
  bool started() const { return port_ > 0; }
  std::string said() const { return read_file(folder_ / "serve.out").value_or(""); }
  std::string complained() const { return read_file(folder_ / "serve.err").value_or(""); }

  // The exit code, or 128 plus the signal number. The program is killed with SIGKILL after a timeout.
  int signalled(int signal, std::chrono::seconds patience = std::chrono::seconds(30)) {
    ::kill(pid_, signal);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!ended() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!ended()) {
      ::kill(pid_, SIGKILL);
      comes_true([&] { return ended(); });
    }
    return exit_code_.value_or(-1);
  }
  bool ended() {
    int status = 0;
    if (!exit_code_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
      exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return exit_code_.has_value();
  }
  int exit_code() const { return exit_code_.value_or(-1); }

  HttpAnswer ask(const std::string& method, const std::string& target, const std::string& body = "",
                 Headers headers = {}) const {
    headers.emplace("Host", "localhost:" + std::to_string(port_));
    headers.emplace("Connection", "close");
    if (method == "POST" || method == "PUT") {
      headers.emplace("Content-Type", "application/json");
      headers.emplace("Content-Length", std::to_string(body.size()));
    }
    std::string text = method + " " + target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
    RawConnection connection(port_);
    connection.send(text + "\r\n" + body);
    return connection.answer(method == "HEAD");
  }
  HttpAnswer get(const std::string& target, const Headers& headers = {}) const {
    return ask("GET", target, "", headers);
  }
  // JSON of a path below /api/v1; discarded if it is not JSON.
  Json json(const std::string& target) const {
    return Json::parse(get("/api/v1" + target).body, nullptr, false);
  }

  Json start(const Json& job) const {
    const auto answer = ask("POST", "/api/v1/jobs", job.dump());
    EXPECT_EQ(answer.status, 201) << answer.body;
    return Json::parse(answer.body, nullptr, false);
  }
  std::string state(const std::string& id) const {
    const Json job = json("/jobs/" + id);
    return job.is_object() ? job.value("state", "none") : "none";
  }
  bool becomes(const std::string& id, const std::string& wanted) const {
    return comes_true([&] { return state(id) == wanted; });
  }

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
  int port_ = 0;
  std::optional<int> exit_code_;
};

}  // namespace ergon::test
