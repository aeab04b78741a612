// What the parts of the library cost, each by itself: for whoever changes one of them.
//
//   build/release/bench/parts --benchmark_filter=Decode
//
// Times of single parts do not add up to those of a session: caches and branches know here what
// comes next. run.py measures the whole, counts.py what the whole does.
#include <benchmark/benchmark.h>
#include <claude/json.h>

#include "core/engine.h"
#include "json/limits.h"
#include "json/reader.h"
#include "json/writer.h"
#include "parts_lines.h"
#include "wire/decode_hooks.h"
#include "wire/encode.h"
#include "wire/framer.h"
#include "wire/line.h"
#include "wire/names.h"
#include "wire/verdicts.h"

#include <cstring>

namespace {

using namespace claude;
using benchmark::DoNotOptimize;
using benchmark::State;

void count_bytes(State& state, std::size_t each) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(each));
}

std::string repeated(const std::string& line, int times) {
  std::string block;
  for (; times > 0; --times) block += line + "\n";
  return block;
}

// ---- Framing and JSON --------------------------------------------------------------------------

void FramerCutsALine(State& state) {
  const std::string block = repeated(bench::kTextDelta, 32);
  wire::Framer framer(1 << 20);
  std::size_t lines = 0;
  while (state.KeepRunningBatch(32)) {
    for (std::string_view left = block; !left.empty();) {
      std::span<char> space = framer.space();
      std::size_t size = std::min(space.size(), left.size());
      std::memcpy(space.data(), left.data(), size);
      framer.filled(size);
      left.remove_prefix(size);
      while (framer.next_line()) ++lines;
    }
  }
  DoNotOptimize(lines);
  count_bytes(state, bench::kTextDelta.size() + 1);
}
BENCHMARK(FramerCutsALine);

void FindTokens(State& state) {
  const std::string line = bench::assistant(static_cast<std::size_t>(state.range(0)));
  const std::string padded = line + std::string(json::kPaddingBytes, '\0');
  for (auto _ : state)
    DoNotOptimize(json::Tokens(std::string_view(padded.data(), line.size())).first());
  count_bytes(state, line.size());
}
BENCHMARK(FindTokens)->Arg(100)->Arg(2 << 10)->Arg(64 << 10)->Arg(1 << 20);

void CheckValue(State& state) {
  const std::string line = bench::assistant(static_cast<std::size_t>(state.range(0)));
  const std::string padded = line + std::string(json::kPaddingBytes, '\0');
  const std::string_view text(padded.data(), line.size());
  for (auto _ : state) {
    json::Tokens tokens(text);
    DoNotOptimize(json::Reader(text, tokens).raw());
  }
  count_bytes(state, line.size());
}
BENCHMARK(CheckValue)->Arg(100)->Arg(64 << 10);

void ParseJson(State& state) {
  for (auto _ : state) DoNotOptimize(Json::parse(bench::kHook));
  count_bytes(state, bench::kHook.size());
}
BENCHMARK(ParseJson);

void DumpJson(State& state) {
  const Json value = Json::parse(bench::kHook).value();
  for (auto _ : state) DoNotOptimize(value.dump());
}
BENCHMARK(DumpJson);

// ---- Lines to values, and back -----------------------------------------------------------------

void DecodeLine(State& state, const std::string& line) {
  for (auto _ : state) DoNotOptimize(wire::decode_line(line));
  count_bytes(state, line.size());
}
BENCHMARK_CAPTURE(DecodeLine, text_delta, bench::kTextDelta);
BENCHMARK_CAPTURE(DecodeLine, text_delta_in_the_general_way, bench::kOtherDelta);
BENCHMARK_CAPTURE(DecodeLine, assistant_2k, bench::assistant(2 << 10));
BENCHMARK_CAPTURE(DecodeLine, assistant_64k, bench::assistant(64 << 10));
BENCHMARK_CAPTURE(DecodeLine, result, bench::kResult);
BENCHMARK_CAPTURE(DecodeLine, hook, bench::kHook);
BENCHMARK_CAPTURE(DecodeLine, permission, bench::kPermission);
BENCHMARK_CAPTURE(DecodeLine, answer, bench::kInitialized);

void DecodeHookInput(State& state) {
  auto request = std::get<wire::ControlRequest>(wire::decode_line(bench::kHook));
  const auto& hook = std::get<wire::HookCallback>(request.body);
  for (auto _ : state)
    DoNotOptimize(
        wire::decode_hook_input<PreToolUse>(hook.input, {}, {request.keep, request.tokens}));
}
BENCHMARK(DecodeHookInput);

// Writes lines into memory that is there, as the engine does.
template <class Append>
void encode_lines(State& state, Append append) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    append(out);
    DoNotOptimize(out);
  }
}

void EncodeHookAnswer(State& state) {
  auto request = std::get<wire::ControlRequest>(wire::decode_line(bench::kHook));
  encode_lines(state, [&](std::string& out) {
    HookOutput output = wire::to_output(Verdict<PreToolUse>(proceed()));
    wire::append_success(out, request.id, wire::encode_hook_output(output, "PreToolUse"));
  });
}
BENCHMARK(EncodeHookAnswer);

void EncodePermissionAnswer(State& state) {
  auto request = std::get<wire::ControlRequest>(wire::decode_line(bench::kPermission));
  const auto& tool = std::get<ToolRequest>(request.body);
  encode_lines(state, [&](std::string& out) {
    wire::append_success(out, request.id, wire::encode_permission(allow(), tool.input));
  });
}
BENCHMARK(EncodePermissionAnswer);

void EncodePrompt(State& state) {
  const Json prompt = "Add 2 and 3";
  encode_lines(state, [&](std::string& out) {
    wire::append_user(out, prompt, "5a3c1f09-1c2d-4e5f-a6b7-91c8");
  });
}
BENCHMARK(EncodePrompt);

void EncodeSetModel(State& state) {
  encode_lines(state, [&](std::string& out) {
    wire::append_request(out, "req_2", wire::set_model_request("sonnet"));
  });
}
BENCHMARK(EncodeSetModel);

// ---- The engine --------------------------------------------------------------------------------

// An engine in the middle of a turn.
class Talk {
 public:
  Talk() : engine(setup()) {
    engine.start(now);
    engine.feed(bench::kInitialized + "\n");
    drain();
    (void)engine.send("go", "prompt-1", {}, now);
    drain();
  }
  std::size_t drain() {
    std::size_t events = 0;
    for (core::Event event; engine.next(event, now);) {
      ++events;
      if (auto* asked = std::get_if<core::Asked>(&event))
        engine.answer(asked->ask, R"({"continue":true})");
    }
    engine.written(engine.output().size());
    return events;
  }

  const core::TimePoint now = {};
  core::Engine engine;

 private:
  static core::Setup setup() {
    core::Setup made;
    made.initialize = wire::request(wire::kInitialize);
    made.hooks = {{.event = "PreToolUse"}};
    made.id_suffix = "0";
    made.diagnostics = false;
    return made;
  }
};

void EngineGivesADelta(State& state) {
  Talk talk;
  const std::string block = repeated(bench::kTextDelta, 32);
  while (state.KeepRunningBatch(32)) {
    talk.engine.feed(block);
    if (talk.drain() != 32) state.SkipWithError("a message is missing");
  }
  count_bytes(state, bench::kTextDelta.size() + 1);
}
BENCHMARK(EngineGivesADelta);

void EngineAsksAndAnswers(State& state) {
  Talk talk;
  const std::string line = bench::kHook + "\n";
  for (auto _ : state) {
    talk.engine.feed(line);
    if (talk.drain() != 1) state.SkipWithError("it did not ask");
  }
}
BENCHMARK(EngineAsksAndAnswers);

void EngineStarts(State& state) {
  for (auto _ : state) {
    Talk talk;
    DoNotOptimize(talk.engine.state());
  }
}
BENCHMARK(EngineStarts);

}  // namespace

BENCHMARK_MAIN();
