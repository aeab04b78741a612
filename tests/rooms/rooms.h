// The table of rooms: what each folder of the project may include and what may never stand in it.
// docs/design.md says why. Dependencies point one way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rooms/source.h"

namespace rooms {

// Columns are words with blanks between them; "*" is anything.
struct Room {
  std::string_view folder;   // the first row that fits a file counts
  std::string_view rooms;    // "room/..." besides its own, or a single file of a room
  std::string_view headers;  // <claude/...>; "plain": the vocabulary, see kNotPlain
  std::string_view others;   // headers of libraries; "os": of the operating system
  std::string_view never;    // groups of kGroups
};

// clang-format off
inline constexpr Room kRooms[] = {
  // folder        "room/..."        <claude/...>      others         never
  {"include/claude/adapt/", "",      "*",              "*",           "print words"},
  {"include/",     "",               "*",              "",            "print words"},
  {"src/base/", "", "error version", "", "print words threads atomic globals world"},
  {"src/json/", "base", "error json", "simdjson.h emmintrin.h", "print words threads world"},
  {"src/wire/", "base json", "plain", "", "print threads atomic globals world"},
  {"src/launch/", "base json wire", "plain", "os",
   "print words heavy threads atomic globals start wall"},
  {"src/core/", "base wire", "plain", "", "print words threads atomic globals world wall"},
  {"src/mcp/", "base json", "plain mcp tool", "", "print words threads atomic globals world"},
  {"src/io/", "base", "error", "os", "print words heavy threads atomic globals wall"},
  {"src/session/", "base json wire launch core mcp io", "*", "os",
   "print words heavy start poll wall"},
  {"src/history/", "base json wire", "plain", "os", "print words threads atomic globals start"},
  {"sim/api/",     "wire/names.h",   "transport sim",  "os nlohmann/ httplib.h", ""},
  {"sim/kit/",     "",               "*",              "os",          ""},
  {"sim/",         "wire/names.h",   "transport sim",  "os nlohmann/", ""},
  {"tools/",       "",               "*",              "os CLI/ httplib.h", "words"},
  {"examples/",    "",               "*",              "os",          ""},
  {"bench/",       "*",              "*",              "*",           ""},
  {"fuzz/",        "*",              "*",              "*",           ""},
  {"tests/",       "*",              "*",              "*",           ""},
};
// clang-format on

// The vocabulary is plain values: every public header but these.
inline constexpr std::string_view kNotPlain = "session query coro mcp tool runtime sim claude";

// What a group forbids. The group "words" is not here: it forbids to spell the protocol.
struct Group {
  std::string_view name;
  std::string_view headers;
  std::string_view code;  // with its blanks taken out
};

inline constexpr Group kGroups[] = {
    {"print", "iostream print cstdio stdio.h", "printf( puts( fputs( fprintf("},
    {"threads",
     "thread mutex shared_mutex condition_variable future semaphore latch barrier stop_token "
     "pthread.h",
     ""},
    {"atomic", "atomic", ""},
    {"globals", "", "thread_local"},
    {"world", "filesystem fstream ctime random",
     "now( getenv( random_device std::system( std::exit( std::abort( std::rand("},
    // What a program keeps in memory for the few calls that a session would make of it.
    {"heavy", "filesystem regex locale sstream", ""},
    {"start", "spawn.h sys/wait.h", "fork( vfork( posix_spawn( execve( system( popen("},
    {"poll", "sys/epoll.h poll.h", "epoll_wait( poll("},
    {"wall", "", "system_clock CLOCK_REALTIME gettimeofday( time(nullptr)"},
};

// Each broken rule as "path:line: what is wrong". `protocol_words` are those that only the wire,
// its judge and the tests may spell.
std::vector<std::string> broken_rules(const Source& source,
                                      const std::vector<std::string>& protocol_words);

// The words that names.h gives, but for those that are plain English too ("user", "error").
std::vector<std::string> distinctive_words(const Source& names);

}  // namespace rooms
