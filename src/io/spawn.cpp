// spawn(): pipes, the plan for the child, and the four errors of starting told apart.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string_view>

#include "io/exec.h"

namespace claude::io {
namespace {

#if CLAUDE_IO_VFORK
constexpr Starter kStarter = start_by_vfork;
#else
constexpr Starter kStarter = start_by_posix_spawn;
#endif

[[gnu::cold]] Error make_error(Errc code, int os_error, std::string where, std::string message,
                               std::string advice) {
  Error error;
  error.code = code;
  error.os_error = os_error;
  error.where = std::move(where);
  error.message = std::move(message);
  error.advice = std::move(advice);
  return error;
}

[[gnu::cold]] Error other_failure(std::string_view what, const std::string& path, int os_error) {
  Error error = refused_by_system(std::string(what) + " " + path, os_error);
  error.where = path;
  return error;
}

[[gnu::cold]] Error chdir_error(const std::string& cwd, int os_error) {
  if (os_error != ENOENT && os_error != ENOTDIR) {
    return other_failure("entering the working directory", cwd, os_error);
  }
  return make_error(Errc::cwd_missing, os_error, cwd,
                    "the working directory " + cwd +
                        (os_error == ENOENT ? " does not exist" : " is not a directory"),
                    "Create the directory, or set the working directory to one that exists.");
}

// The interpreter that a script names after "#!", else nothing.
std::string interpreter_of(const std::string& program) {
  std::string line(256, '\0');
  std::ifstream file(program, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  if (!line.starts_with("#!")) return {};
  const std::size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_first_of(" \t\r\n", begin) - begin);
}

// exec says ENOENT both for a missing program and for a missing interpreter or loader of it.
[[gnu::cold]] Error not_found_error(const std::string& program, int os_error) {
  if (::access(program.c_str(), F_OK) != 0) {
    return make_error(Errc::cli_not_found, os_error, program, "there is no program " + program,
                      "Install it, or correct the path.");
  }
  const std::string interpreter = interpreter_of(program);
  if (interpreter.empty()) {
    return make_error(Errc::wrong_architecture, os_error, program,
                      program + " needs a loader that this system does not have",
                      "Install the build that was made for this system and its C library.");
  }
  return make_error(Errc::wrong_architecture, os_error, program,
                    program + " needs the interpreter " + interpreter + ", which does not exist",
                    "Install the interpreter, or correct the first line of the script.");
}

[[gnu::cold]] Error exec_error(const std::string& program, int os_error) {
  switch (os_error) {
    case ENOENT:
    case ENOTDIR:
      return not_found_error(program, os_error);
    case EACCES:
      return make_error(Errc::not_executable, os_error, program,
                        program + " may not be executed: permission denied",
                        "Give it execute permission (chmod +x); it must be a file, its folders "
                        "searchable, and its file system not mounted noexec.");
    case ENOEXEC:
#ifdef ELIBBAD
    case ELIBBAD:
#endif
#ifdef EBADARCH
    case EBADARCH:
#endif
      return make_error(Errc::wrong_architecture, os_error, program,
                        program + " is not a program for this machine",
                        "Install the build for this processor; a script needs a #! line.");
    default:
      return other_failure("starting", program, os_error);
  }
}

[[gnu::cold]] Error explain(const SpawnRequest& request, const ExecFailure& failure) {
  switch (failure.step) {
    case ExecFailure::Step::chdir:
      return chdir_error(request.cwd, failure.os_error);
    case ExecFailure::Step::exec:
      return exec_error(request.program, failure.os_error);
    case ExecFailure::Step::start:
      break;
  }
  return other_failure("starting", request.program, failure.os_error);
}

// C strings end at a NUL: the child would silently get less than was asked for.
std::optional<Error> find_nul(const SpawnRequest& request) {
  const auto check = [](std::string_view what, const std::string& text) -> std::optional<Error> {
    if (!text.contains('\0')) return std::nullopt;
    return make_error(Errc::invalid_option, 0, std::string(what),
                      "a NUL byte cannot be passed to a program", "Remove the NUL byte.");
  };
  if (auto error = check("program", request.program)) return error;
  if (auto error = check("cwd", request.cwd)) return error;
  for (std::size_t i = 0; i < request.argv.size(); ++i) {
    if (auto error = check("argv[" + std::to_string(i) + "]", request.argv[i])) return error;
  }
  for (const std::string& variable : request.environment) {
    const std::string name = variable.substr(0, variable.find('='));
    if (auto error = check("environment: " + name, variable)) return error;
  }
  return std::nullopt;
}

std::vector<char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Ends {
  Pipe in, out, err;
};

Result<Ends> make_ends(std::size_t stdout_pipe_bytes) {
  Ends ends;
  for (Pipe* pipe : {&ends.in, &ends.out, &ends.err}) {
    Result<Pipe> made = make_pipe();
    if (!made) return std::unexpected(std::move(made.error()));
    *pipe = std::move(*made);
  }
  for (const Fd* ours : {&ends.in.write, &ends.out.read, &ends.err.read}) {
    if (auto done = set_nonblocking(*ours); !done) return std::unexpected(done.error());
  }
#ifdef F_SETPIPE_SZ
  // Beyond the user's share (fs.pipe-user-pages-soft) the kernel refuses; it works all the same.
  ::fcntl(ends.out.read.get(), F_SETPIPE_SZ, static_cast<int>(stdout_pipe_bytes));
#else
  static_cast<void>(stdout_pipe_bytes);
#endif
  return ends;
}

Fd open_pidfd([[maybe_unused]] pid_t pid) {
#ifdef SYS_pidfd_open
  return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)));
#else
  return Fd();
#endif
}

}  // namespace

Result<Child> spawn_by(Starter starter, const SpawnRequest& request) {
  if (auto error = find_nul(request)) return std::unexpected(std::move(*error));
  Result<Ends> ends = make_ends(request.stdout_pipe_bytes);
  if (!ends) {
    ends.error().where = request.program;
    return std::unexpected(std::move(ends.error()));
  }
  const std::vector<char*> argv = c_strings(request.argv);
  const std::vector<char*> environment = c_strings(request.environment);
  const auto pid = starter({.program = request.program.c_str(),
                            .argv = argv.data(),
                            .environment = environment.data(),
                            .cwd = request.cwd.empty() ? nullptr : request.cwd.c_str(),
                            .in = ends->in.read.get(),
                            .out = ends->out.write.get(),
                            .err = ends->err.write.get()});
  if (!pid) return std::unexpected(explain(request, pid.error()));
  // The child's ends first: at the limit of descriptors theirs are what is left for its pidfd.
  for (Fd* theirs : {&ends->in.read, &ends->out.write, &ends->err.write}) theirs->close();
  return Child{.in = std::move(ends->in.write),
               .out = std::move(ends->out.read),
               .err = std::move(ends->err.read),
               .pid = *pid,
               .pidfd = open_pidfd(*pid)};
}

Result<Child> spawn(const SpawnRequest& request) {
  return spawn_by(kStarter, request);
}

}  // namespace claude::io
