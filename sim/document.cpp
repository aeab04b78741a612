// Newlines are counted while the text is parsed, so that what is no JSON is named with its line.
// The line of any other error is looked for only when there is one: the text is parsed once more,
// until the path of the error is reached.
#include "document.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <iterator>
#include <vector>

#include "schema.h"

namespace claude::sim {

// docs/scenario.schema.json, put into a source file by the build.
extern const char* const kScenarioSchema;

namespace {

const Json& scenario_schema() {
  static const Json kSchema = Json::parse(kScenarioSchema);
  return kSchema;
}

struct Progress {
  int lines = 0;
  char last = 0;

  // A number is only known to end by the character after it.
  int line() const { return 1 + lines - (last == '\n'); }
};

// Walks over the text and counts.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  Progress* progress = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    progress->last = *at;
    progress->lines += *at++ == '\n';
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

class LineFinder : public nlohmann::json_sax<Json> {
 public:
  LineFinder(std::string path, const Progress& progress)
      : wanted_(std::move(path)), progress_(progress) {}

  int line = 1;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(std::int64_t) override { return value(); }
  bool number_unsigned(std::uint64_t) override { return value(); }
  bool number_float(double, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(Json::binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(-1); }
  bool start_array(std::size_t) override { return open(0); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    frames_.back().key = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  struct Frame {
    int index;  // of an array; -1: an object
    std::string key = {};
  };

  std::string path() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (frame.index >= 0)
        text += "[" + std::to_string(frame.index) + "]";
      else
        text += (text.empty() ? "" : ".") + frame.key;
    }
    return text;
  }

  // False ends the walk.
  bool arrived() {
    if (path() != wanted_) return false;
    line = progress_.line();
    return true;
  }
  bool value() {
    if (arrived()) return false;
    return step();
  }
  bool open(int index) {
    if (arrived()) return false;
    frames_.push_back({index});
    return true;
  }
  bool close() {
    frames_.pop_back();
    return step();
  }
  bool step() {
    if (!frames_.empty() && frames_.back().index >= 0) ++frames_.back().index;
    return true;
  }

  std::string wanted_;
  const Progress& progress_;
  std::vector<Frame> frames_;
};

int line_of(const std::string& path, const std::string& text) {
  Progress progress;
  LineFinder finder(path, progress);
  const CountingIterator begin{text.data(), &progress};
  const CountingIterator end{text.data() + text.size(), &progress};
  Json::sax_parse(begin, end, &finder, nlohmann::detail::input_format_t::json, true, true);
  return finder.line;
}

std::string described(const Violation& violation) {
  return (violation.path.empty() ? "the document" : violation.path) + ": " + violation.what;
}

}  // namespace

Json read_document(const std::string& text, const std::string& source) {
  Json document;
  Progress progress;
  const auto check_depth = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth <= kMaxDepth) return true;
    throw ScenarioError(source + ":" + std::to_string(progress.line()) + ": nested deeper than " +
                        std::to_string(kMaxDepth));
  };
  try {
    document = Json::parse(CountingIterator{text.data(), &progress},
                           CountingIterator{text.data() + text.size(), &progress}, check_depth,
                           true, true);
  } catch (const Json::exception& error) {
    throw ScenarioError(source + ":" + std::to_string(progress.line()) + ": " + error.what());
  }
  const auto violation = find_violation(document, scenario_schema(), scenario_schema());
  if (violation)
    throw ScenarioError(source + ":" + std::to_string(line_of(violation->at, text)) + ": " +
                        described(*violation));
  return document;
}

Json read_document_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw ScenarioError(path + ": cannot be read");
  std::string text;
  std::array<char, 65536> block;
  for (ssize_t got; (got = read(fd, block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  close(fd);
  return read_document(text, path);
}

void check_steps(const Json& steps, const std::string& source) {
  const Json& schema = scenario_schema();
  const auto violation = find_violation(steps, schema["$defs"]["steps"], schema);
  if (violation) throw ScenarioError(source + violation->path + ": " + violation->what);
}

}  // namespace claude::sim
