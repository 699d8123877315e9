#include "control/caps/cap_socket.h"

#include <cerrno>
#include <filesystem>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/units_text.h"
#include "support/temporary_folder.h"

namespace ergon::control {
namespace {

namespace fs = std::filesystem;
using namespace literals;

// A client of the socket. Data sent by one side can be read at once by the other.
class Program {
 public:
  explicit Program(const std::string& path, int type = SOCK_STREAM)
      : fd_(::socket(AF_UNIX, type | SOCK_NONBLOCK, 0)) {
    path.copy(address_.sun_path, sizeof address_.sun_path);
  }
  Program(Program&& other) noexcept : fd_(std::exchange(other.fd_, -1)), address_(other.address_) {}
  ~Program() { close(); }

  bool connect() { return ::connect(fd_, reinterpret_cast<sockaddr*>(&address_), sizeof address_) == 0; }
  bool bind() { return ::bind(fd_, reinterpret_cast<sockaddr*>(&address_), sizeof address_) == 0; }
  bool listen(int backlog) { return ::listen(fd_, backlog) == 0; }
  void finish_sending() { ::shutdown(fd_, SHUT_WR); }
  void close() { ::close(std::exchange(fd_, -1)); }

  std::size_t send(std::string_view text) {
    const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  // Data received since the last call, followed by "<end>" if the connection is closed.
  std::string heard() {
    std::string text;
    char block[4096];
    ssize_t got = 0;
    while ((got = ::recv(fd_, block, sizeof block, 0)) > 0) text.append(block, static_cast<std::size_t>(got));
    return got < 0 && errno == EAGAIN ? text : text + "<end>";
  }

 private:
  int fd_;
  sockaddr_un address_{.sun_family = AF_UNIX, .sun_path = ""};
};

// While the object lives, no file can be opened and no connection accepted.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

class SocketCapTest : public testing::Test {
 protected:
  void open() {
    auto source = socket_cap(path_);
    ASSERT_TRUE(source) << source.error().message;
    source_ = std::move(*source);
  }
  // The first call creates the socket.
  Program connected() {
    if (!source_) open();
    Program program(path_);
    EXPECT_TRUE(program.connect());
    return program;
  }
  // The result of a poll as text.
  std::string said() {
    const auto polled = source_->poll(0_s);
    if (!polled) return "error: " + polled.error().message.substr(path_.size() + 2);
    return *polled ? to_text((*polled)->cap) + " from " + (*polled)->origin : "nothing";
  }
  // Sends, polls, and returns the result of the poll and the answer to the client.
  std::string talk(Program& program, std::string_view text) {
    EXPECT_EQ(program.send(text), text.size());
    const std::string given = said();
    return given + "; " + program.heard();
  }
  // The error of opening the socket, without the path.
  std::string refused(Errc kind) {
    const auto source = socket_cap(path_);
    if (source) return "accepted";
    EXPECT_EQ(source.error().kind, kind);
    return source.error().message.substr(path_.size());
  }

  ergon::test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "cap.sock").string();
  std::unique_ptr<CapSource> source_;
};

TEST_F(SocketCapTest, AnswersAppliesAndAcknowledgesACap) {
  Program program = connected();
  EXPECT_EQ(said(), "nothing");
  EXPECT_EQ(talk(program, "0.25 kW\r\n"), "250 W from socket; ok 250 W\n");
  EXPECT_EQ(said(), "nothing");
  source_->acknowledge(250_W, 0.35_s);
  EXPECT_EQ(program.heard(), "met in 0.35 s\n");
  source_->acknowledge(250_W, 0.35_s);
  EXPECT_EQ(program.heard(), "");
}

TEST_F(SocketCapTest, AnswersAllLinesAndAppliesTheLastValidOne) {
  Program program = connected();
  EXPECT_EQ(talk(program, "200\nlots\n300.5W\n\n"),
            "300.5 W from socket; ok 200 W\n"
            "error: \"lots\" does not begin with a number; expected a power (example: 250W)\n"
            "ok 300.5 W\nerror: empty; expected a power, for example 250W\n");
  EXPECT_EQ(talk(program, "0W\n"), "nothing; error: 0W: the cap must be above 0\n");
}

TEST_F(SocketCapTest, AcknowledgesOnlyTheLastClient) {
  Program first = connected();
  Program second = connected();
  EXPECT_EQ(talk(first, "300W\n"), "300 W from socket; ok 300 W\n");
  EXPECT_EQ(talk(second, "200W\n"), "200 W from socket; ok 200 W\n");
  source_->acknowledge(300_W, 1_s);
  source_->acknowledge(200_W, 2_s);
  EXPECT_EQ(first.heard(), "");
  EXPECT_EQ(second.heard(), "met in 2 s\n");
}

TEST_F(SocketCapTest, JoinsALineAcrossPolls) {
  Program program = connected();
  for (const std::string_view piece : {"2", "5", "0W"}) EXPECT_EQ(talk(program, piece), "nothing; ");
  EXPECT_EQ(talk(program, "\n30"), "250 W from socket; ok 250 W\n");
  EXPECT_EQ(talk(program, "0\n"), "300 W from socket; ok 300 W\n");
}

TEST_F(SocketCapTest, ClosesTheConnectionAfterALongLine) {
  const std::string error = "error: line longer than 256 bytes\n<end>";
  Program program = connected();
  EXPECT_EQ(talk(program, std::string(252, ' ') + "250W\n" + std::string(253, ' ') + "300W\n"),
            "250 W from socket; ok 250 W\n" + error);
  source_->acknowledge(250_W, 1_s);
  Program endless = connected();
  EXPECT_EQ(talk(endless, std::string(256, '1')), "nothing; ");
  EXPECT_EQ(talk(endless, "1"), "nothing; " + error);
}

TEST_F(SocketCapTest, RejectsTheSeventeenthClientUntilOneLeaves) {
  std::vector<Program> programs;
  for (int i = 0; i < 16; ++i) programs.push_back(connected());
  EXPECT_EQ(said(), "nothing");
  Program late = connected();
  EXPECT_EQ(talk(late, "100W\n"), "nothing; error: 16 clients are already connected\n<end>");
  programs[3].close();
  Program later = connected();
  EXPECT_EQ(talk(later, "200W\n"), "200 W from socket; ok 200 W\n");
  EXPECT_EQ(talk(programs[15], "300W\n"), "300 W from socket; ok 300 W\n");
}

TEST_F(SocketCapTest, NeverBlocksOnAClientThatDoesNotRead) {
  Program deaf = connected();
  std::string lines, answers, heard;
  for (int i = 0; i < 100000; ++i) lines += "250W\n", answers += "ok 250 W\n";
  std::string_view rest = lines;
  const auto send_and_poll = [&] {
    rest.remove_prefix(deaf.send(rest));
    static_cast<void>(said());
  };
  for (int polls = 0; polls < 200; ++polls) send_and_poll();
  ASSERT_FALSE(rest.empty()) << "all of it was taken from a program that reads nothing";
  Program other = connected();
  EXPECT_EQ(talk(other, "300W\n"), "300 W from socket; ok 300 W\n");
  for (int rounds = 0; rounds < 1000 && heard.size() < answers.size(); ++rounds) {
    heard += deaf.heard();
    send_and_poll();
  }
  EXPECT_TRUE(heard == answers) << heard.size() << " bytes";
}

TEST_F(SocketCapTest, DropsClosedClientsAndAnswersHalfClosedOnes) {
  Program program = connected();
  program.send("250W\n");
  program.finish_sending();
  EXPECT_EQ(talk(program, ""), "250 W from socket; ok 250 W\n");
  EXPECT_EQ(talk(program, ""), "nothing; ");
  source_->acknowledge(250_W, 0.35_s);
  EXPECT_EQ(talk(program, ""), "nothing; met in 0.35 s\n<end>");
  Program unfinished = connected();
  unfinished.send("25");
  unfinished.finish_sending();
  EXPECT_EQ(talk(unfinished, ""), "nothing; error: the last line has no newline\n<end>");
  connected().send("300W\n");
  EXPECT_EQ(said(), "300 W from socket");
  source_->acknowledge(300_W, 1_s);
  EXPECT_EQ(said(), "nothing");
}

TEST_F(SocketCapTest, ReportsAFailedAcceptOnce) {
  Program known = connected();
  EXPECT_EQ(said(), "nothing");
  Program waiting = connected();
  waiting.send("250W\n");
  known.send("300W\n");
  {
    const NoMoreFiles starved;
    EXPECT_EQ(said(), "300 W from socket") << "a cap is more urgent";
    EXPECT_EQ(said(), "error: Too many open files");
    EXPECT_EQ(said(), "nothing");
    const auto second = socket_cap(path_ + "2");
    EXPECT_EQ(second ? "" : second.error().message, path_ + "2: Too many open files");
  }
  EXPECT_EQ(talk(waiting, ""), "250 W from socket; ok 250 W\n");
  Program again = connected();
  const NoMoreFiles starved;
  EXPECT_EQ(said(), "error: Too many open files");
}

TEST_F(SocketCapTest, IsAccessibleToItsOwnerOnlyAndIsRemoved) {
  const mode_t mask = ::umask(0);
  open();
  ::umask(mask);
  EXPECT_EQ(static_cast<int>(fs::status(path_).permissions()), 0600);
  source_.reset();
  EXPECT_FALSE(fs::exists(path_));
  open();  // again; now another file replaces the socket
  fs::remove(path_);
  ASSERT_TRUE(write_file(path_, "mine"));
  source_.reset();
  EXPECT_EQ(read_file(path_).value_or(""), "mine");
}

TEST_F(SocketCapTest, ReplacesAStaleSocket) {
  Program dead(path_);
  ASSERT_TRUE(dead.bind() && dead.listen(1));
  dead.close();
  ASSERT_TRUE(fs::is_socket(path_));
  Program program = connected();
  EXPECT_EQ(talk(program, "250W\n"), "250 W from socket; ok 250 W\n");
}

TEST_F(SocketCapTest, RejectsASocketWithAListener) {
  open();
  EXPECT_EQ(refused(Errc::permission), ": another process listens on this socket");
  EXPECT_EQ(said(), "nothing") << "the first one was disturbed";
  source_.reset();
  Program busy(path_);
  ASSERT_TRUE(busy.bind() && busy.listen(0));
  std::vector<Program> queue;
  do queue.emplace_back(path_);
  while (queue.back().connect());
  EXPECT_EQ(refused(Errc::permission), ": another process listens on this socket");
  fs::remove(path_);
  Program datagrams(path_, SOCK_DGRAM);
  ASSERT_TRUE(datagrams.bind());
  EXPECT_NE(refused(Errc::io), "accepted");
  EXPECT_TRUE(fs::is_socket(path_));
}

TEST_F(SocketCapTest, RejectsAFileThatIsNotASocket) {
  ASSERT_TRUE(write_file(path_, "mine"));
  EXPECT_EQ(refused(Errc::invalid_input), ": exists and is not a socket");
  EXPECT_EQ(read_file(path_).value_or(""), "mine");
  fs::remove(path_);
  fs::create_symlink("nowhere", path_);
  EXPECT_EQ(refused(Errc::invalid_input), ": exists and is not a socket");
}

TEST_F(SocketCapTest, RejectsInvalidSocketPaths) {
  path_ = (folder_ / "nowhere/cap.sock").string();
  EXPECT_EQ(refused(Errc::not_found), ": no such directory");
  path_ = "";
  EXPECT_EQ(refused(Errc::invalid_input), "--cap-socket needs a path");
  path_ = (folder_ / "").string();
  path_.resize(108, 'x');
  EXPECT_EQ(refused(Errc::invalid_input), ": longer than 107 bytes, the limit for a socket path");
  path_.pop_back();
  open();
  EXPECT_TRUE(fs::is_socket(path_));
}

}  // namespace
}  // namespace ergon::control
