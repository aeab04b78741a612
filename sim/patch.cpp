// The shortest difference by a longest common subsequence; what both ends share is set aside first.
#include "patch.h"

#include <algorithm>
#include <vector>

namespace claude::sim {
namespace {

constexpr std::size_t kContext = 3;

struct Change {
  char sign;  // ' ', '-' or '+'
  std::string line;
};

using Lines = std::vector<std::string>;

// Removed lines come before the added ones that take their place.
void add_middle(const Lines& from, const Lines& to, std::vector<Change>& changes) {
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> common((from.size() + 1) * width);
  for (std::size_t i = from.size(); i-- > 0;)
    for (std::size_t j = to.size(); j-- > 0;)
      common[i * width + j] =
          from[i] == to[j] ? common[(i + 1) * width + j + 1] + 1
                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && j < to.size() && from[i] == to[j]) {
      changes.push_back({' ', from[i]});
      ++i, ++j;
    } else if (j == to.size() ||
               (i < from.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      changes.push_back({'-', from[i++]});
    } else {
      changes.push_back({'+', to[j++]});
    }
  }
}

std::vector<Change> changes_of(const Lines& from, const Lines& to) {
  const auto [head, other] = std::ranges::mismatch(from, to);
  Lines left(head, from.end());
  Lines right(other, to.end());
  Lines tail;
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    tail.insert(tail.begin(), left.back());
    left.pop_back();
    right.pop_back();
  }
  std::vector<Change> changes;
  for (auto line = from.begin(); line != head; ++line) changes.push_back({' ', *line});
  add_middle(left, right, changes);
  for (const std::string& line : tail) changes.push_back({' ', line});
  return changes;
}

// Each with its newline: a last line without one is another line.
Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

void add_line(Json& lines, const Change& change) {
  const bool whole = change.line.ends_with('\n');
  lines.push_back(change.sign + change.line.substr(0, change.line.size() - (whole ? 1 : 0)));
  if (!whole) lines.push_back("\\ No newline at end of file");
}

Json hunk_of(const std::vector<Change>& changes, std::size_t begin, std::size_t end) {
  const auto counted = [&](std::size_t from, std::size_t to, char gone) {
    return std::count_if(changes.begin() + static_cast<std::ptrdiff_t>(from),
                         changes.begin() + static_cast<std::ptrdiff_t>(to),
                         [&](const Change& change) { return change.sign != gone; });
  };
  Json hunk = Json::object();
  hunk["oldStart"] = counted(0, begin, '+') + 1;
  hunk["oldLines"] = counted(begin, end, '+');
  hunk["newStart"] = counted(0, begin, '-') + 1;
  hunk["newLines"] = counted(begin, end, '-');
  hunk["lines"] = Json::array();
  for (std::size_t i = begin; i < end; ++i) add_line(hunk["lines"], changes[i]);
  return hunk;
}

}  // namespace

Json patch_of(const std::string& before, const std::string& after) {
  const std::vector<Change> changes = changes_of(lines_of(before), lines_of(after));
  Json hunks = Json::array();
  const auto next_change = [&](std::size_t at) {
    while (at < changes.size() && changes[at].sign == ' ') ++at;
    return at;
  };
  for (std::size_t at = next_change(0); at < changes.size();) {
    const std::size_t begin = at - std::min(at, kContext);
    std::size_t last = at;  // changed line of this hunk
    for (std::size_t next = at; next < changes.size() && next - last <= 2 * kContext + 1;
         next = next_change(next + 1))
      last = next;
    hunks.push_back(hunk_of(changes, begin, std::min(last + 1 + kContext, changes.size())));
    at = next_change(last + 1);
  }
  return hunks;
}

LineCounts changed_lines(const std::string& before, const std::string& after) {
  LineCounts counts;
  for (const Change& change : changes_of(lines_of(before), lines_of(after))) {
    counts.added += change.sign == '+';
    counts.removed += change.sign == '-';
  }
  return counts;
}

}  // namespace claude::sim
