// claude-agent-cpp: the Claude Code CLI as a C++ library.
//
// The one-page tour:
//
//   query("...")             one question, a range of messages: <claude/query.h>
//   Session::start(options)  a conversation; send() gives a Turn, a range of the messages that
//                            answer this prompt: <claude/session.h>
//   Message                  a std::variant of AssistantMessage, ResultMessage, StreamEvent, ...;
//                            unknown things arrive, too: <claude/message.h>
//   Options                  model, tools, places, limits: <claude/options.h>
//   options.hooks            your code before and after tools, prompts, stops: <claude/hooks.h>
//   options.can_use_tool     may this tool run? <claude/permission.h>
//   options.on_question      the model asks the user to choose: <claude/permission.h>
//   options.mcp_servers      tools that live in this process: <claude/options.h>
//   session.interrupt() ...  operations: a Call<T>, to get(), then() or co_await: <claude/call.h>
//   Result<T>, Error         errors as values, who, where, what to do: <claude/error.h>
//   Json                     values for what has no type: <claude/json.h>
//   Observer, LogHandler     see every line and every oddity: <claude/observer.h>
//
// Advanced: your own connection <claude/transport.h>, your own threads <claude/runtime.h>,
// coroutines <claude/coro.h>. For your tests, a simulated CLI: <claude/sim.h>, which is not here.
#pragma once

#include <claude/call.h>
#include <claude/control.h>
#include <claude/coro.h>
#include <claude/error.h>
#include <claude/hooks.h>
#include <claude/json.h>
#include <claude/message.h>
#include <claude/observer.h>
#include <claude/options.h>
#include <claude/permission.h>
#include <claude/query.h>
#include <claude/recorder.h>
#include <claude/runtime.h>
#include <claude/session.h>
#include <claude/transport.h>
#include <claude/version.h>
