// claude-sim-api: a Messages API on loopback whose model plays a script, so that the real CLI can
// be tested without account and network. It prints where it listens, as one line, and ends when
// its stdin closes: so it never outlives the test that started it.
#include <httplib.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "document.h"
#include "model.h"
#include "stream.h"

namespace claude::sim_api {
namespace {

constexpr const char* kUsage =
    "usage: claude-sim-api [--scenario=FILE | --scenario-json=JSON] [--log=FILE]\n"
    "Serves the Messages API on a free port of 127.0.0.1 until stdin closes.\n"
    "docs/simulator.md describes scenarios.\n";

struct Settings {
  json scenario = json::object();
  std::string log;  // path; "": no log
};

Settings parse_arguments(int argc, char** argv) {
  Settings settings;
  for (std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    std::size_t equals = std::min(argument.find('='), argument.size() - 1);
    std::string name(argument.substr(0, equals + 1)), value(argument.substr(equals + 1));
    if (name == "--scenario=") {
      settings.scenario = sim::read_document_file(value);
    } else if (name == "--scenario-json=") {
      settings.scenario = sim::read_document(value, "--scenario-json");
    } else if (name == "--log=") {
      settings.log = value;
    } else {
      throw std::invalid_argument("unknown argument " + std::string(argument) + "\n" + kUsage);
    }
  }
  return settings;
}

// One line a request, written whole before the answer begins: a test that has seen the answer
// finds the request in it.
class RequestLog {
 public:
  explicit RequestLog(const std::string& path) {
    if (!path.empty()) file_.open(path, std::ios::app);
  }
  void add(const httplib::Request& request) {
    if (!file_.is_open()) return;
    json body = json::parse(request.body, nullptr, false);
    json line{{"method", request.method}, {"path", request.path}};
    line["body"] = body.is_discarded() ? json(request.body) : std::move(body);
    std::lock_guard guard(lock_);
    file_ << line.dump() << std::endl;
  }

 private:
  std::mutex lock_;
  std::ofstream file_;
};

void send_json(httplib::Response& response, const json& body, int status = 200) {
  response.status = status;
  response.set_content(body.dump(), "application/json");
}

// Waits, but not for a client that has gone: an interrupted turn frees its thread soon.
bool wait_for(std::chrono::milliseconds delay, httplib::DataSink& sink) {
  constexpr std::chrono::milliseconds kLook{50};
  for (; delay > std::chrono::milliseconds(0); delay -= kLook) {
    if (!sink.is_writable()) return false;
    std::this_thread::sleep_for(std::min(delay, kLook));
  }
  return true;
}

void send_stream(httplib::Response& response, std::vector<StreamEvent> events) {
  response.set_chunked_content_provider(
      "text/event-stream", [events = std::move(events)](std::size_t, httplib::DataSink& sink) {
        for (const StreamEvent& event : events) {
          if (!wait_for(event.delay, sink)) return false;
          if (!sink.write(event.bytes.data(), event.bytes.size())) return false;
        }
        sink.done();
        return true;
      });
}

class Api {
 public:
  explicit Api(const Settings& settings) : model_(settings.scenario), log_(settings.log) {
    server_.set_tcp_nodelay(true);  // each delta is a small write that must not wait for the next
    server_.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
    server_.Post("/v1/messages", [this](const auto& request, auto& response) {
      log_.add(request);
      answer(request, response);
    });
    server_.Post("/v1/messages/count_tokens", [this](const auto& request, auto& response) {
      log_.add(request);
      send_json(response, {{"input_tokens", request.body.size() / 4}});
    });
    server_.Get(".*", [this](const auto& request, auto& response) {
      log_.add(request);
      send_json(response, json::object());
    });
  }

  // Never returns: the server runs on its own threads until stdin ends.
  [[noreturn]] void serve() {
    int port = server_.bind_to_any_port("127.0.0.1");
    if (port < 0) throw std::runtime_error("no free port on 127.0.0.1");
    std::thread([this] { server_.listen_after_bind(); }).detach();
    std::cout << "listening 127.0.0.1:" << port << std::endl;
    while (std::cin.get() != std::char_traits<char>::eof()) {
    }
    ::_exit(0);  // open connections and scripted delays must not hold up the end
  }

 private:
  // A connection that is kept alive holds a thread.
  static constexpr std::size_t kConnections = 64;

  void answer(const httplib::Request& request, httplib::Response& response) try {
    json asked = json::parse(request.body);
    Reply reply = model_.answer(asked, request.get_header_value("X-Claude-Code-Session-Id"));
    int number = ++replies_;
    response.set_header("request-id", "req_sim" + std::to_string(number));
    if (reply.error) return send_json(response, make_error(*reply.error), reply.error->status);
    std::string model = asked.value("model", "");
    if (asked.value("stream", false)) {
      send_stream(response, make_stream(reply, model, number));
    } else {
      std::this_thread::sleep_for(reply.wait);
      send_json(response, make_message(reply, model, number));
    }
  } catch (const std::exception& wrong) {
    // A script that makes no sense: with this status the CLI gives up and shows the message.
    ApiError error{.status = 403, .type = "permission_error", .message = wrong.what()};
    send_json(response, make_error(error), error.status);
  }

  Model model_;
  RequestLog log_;
  std::atomic<int> replies_ = 0;
  httplib::Server server_;
};

}  // namespace
}  // namespace claude::sim_api

int main(int argc, char** argv) try {
  using namespace claude::sim_api;
  Api(parse_arguments(argc, argv)).serve();
} catch (const std::exception& wrong) {
  std::cerr << "claude-sim-api: " << wrong.what() << '\n';
  return 2;
}
