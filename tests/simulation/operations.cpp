// Users who call: operations by their names, and a query beside all the others.
#include "scene.h"

namespace claude::simulation {

using namespace std::chrono_literals;

void Scene::call() {
  CallRecord& record = laws_->call(++calls_);
  record.number = calls_;
  std::string name = "op" + std::to_string(record.number);
  switch (world_.decide.below(6)) {
    case 4:
      record.due = world_.now() + kNamedTimeout;
      return see_to<ModelSet>(session_->set_model(name), record, [name](const ModelSet& set) {
        return set.model.value_or({}) == name;
      });
    case 5:
      return interrupt(record);
    default: {
      std::chrono::milliseconds timeout = world_.decide.one_in(2) ? 2s : 30s;
      record.due = world_.now() + timeout;
      std::string number = std::to_string(record.number);
      return see_to<Json>(session_->call(name, {}, timeout), record, [number](const Json& answer) {
        return answer["number"].text() == number;
      });
    }
  }
}

// The CLI cannot tell one from another, so any answer may be this one's.
void Scene::interrupt(CallRecord& record) {
  record.due = world_.now() + kNamedTimeout;
  record.is_interrupt = true;
  see_to<InterruptReceipt>(session_->interrupt(), record,
                           [](const InterruptReceipt&) { return true; });
}

template <class T>
void Scene::see_to(Call<T> call, CallRecord& record, std::function<bool(const T&)> is_its_own) {
  world_.event("calls ", record.number);
  auto due = [this, &record] {
    return record.answered || record.refused || is_over() || world_.now() > record.due + 50ms;
  };
  auto check = [this, &record, is_its_own](const Result<T>& result) {
    laws_->call_ended(record, result ? nullptr : &result.error());
    if (result && !is_its_own(*result)) world_.fail("a call got the answer of another");
  };
  switch (world_.decide.below(4)) {
    case 2: {
      auto debt = laws_->is_to_be_called("the answer to a call is there", due);
      return call.then([this, &record, debt, check, owned = belonging()](const Result<T>& result) {
        in_callback([&] {
          if (++record.ends > 1) world_.fail("a call was answered twice");
          laws_->paid(debt);
          reached(Reached::call_continued);
          check(result);
          if (world_.decide.one_in(4)) act();
        });
      });
    }
    case 3: {
      auto early = call.get(world_.decide.of(kLimits));
      if (early || call.ready()) break;
      return reached(Reached::call_left_waiting);
    }
    default:
      break;
  }
  check(waiting("the answer to a call is there", due, [&] { return call.get(); }));
}

// It ends with the result of its own prompt, which was the first, whatever else the session is used
// for meanwhile.
void Scene::take_query() {
  ++users_at_work_;
  world_.spawn("query", [this] {
    auto due = [this] { return laws_->first_turn().over || is_over(); };
    auto waits = [&](auto wait) { return waiting("the end of the query is there", due, wait); };
    bool to_the_end = !world_.decide.one_in(4);
    std::size_t last = 0;
    while (auto message = waits([&] { return query_->next(); })) {
      Mark mark = mark_in(message->raw());
      if (mark.number != 0 && last != 0 && mark.number != last + 1)
        world_.fail("a query misses a message");
      if (mark.number != 0) last = mark.number;
      if (!to_the_end && world_.decide.one_in(2)) break;
    }
    if (to_the_end) check_result_of_query(waits([&] { return query_->result(); }), last);
    query_.reset();
    reached(to_the_end ? Reached::query_ended : Reached::query_dropped);
    --users_at_work_;
  });
}

void Scene::check_result_of_query(const Result<TurnResult>& result, std::size_t last) {
  TurnRecord& turn = laws_->first_turn();
  laws_->turn_ended(turn, result ? nullptr : &result.error());
  if (!result) return;
  Mark mark = mark_in(result->message.raw);
  if (mark.prompt != turn.uuid) world_.fail("a query got the result of another prompt");
  if (mark.number != last) world_.fail("a query did not end with its result");
}

}  // namespace claude::simulation
