// Jobs of map_rect in other processes, here played by threads that serve: the same bits as in one process, the same errors,
// the same prints. tests/unit/cli/cli_mpi_test.cpp does it with processes.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <mutex>
#include <thread>

#include "interp/model/workspace.h"
#include "interp/parallel/cluster.h"
#include "support/platform/threads.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

/// Mailboxes of all processes.
struct Post {
  explicit Post(int n) : boxes(static_cast<std::size_t>(n)) {}
  std::mutex mutex;
  std::vector<std::deque<Transport::Arrival>> boxes;
};

class ByHand final : public Transport {
 public:
  ByHand(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, Message message) override {
    message.resize((message.size() + 7) / 8 * 8);
    const std::lock_guard lock(post_.mutex);
    post_.boxes[static_cast<std::size_t>(to)].push_back({rank_, std::move(message)});
  }
  std::optional<Arrival> receive() override {
    const std::lock_guard lock(post_.mutex);
    auto& box = post_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    Arrival arrival = std::move(box.front());
    box.pop_front();
    return arrival;
  }
  std::unique_ptr<Transport> part(std::vector<int>, int) override { return nullptr; }
  void leave() override {}

 private:
  Post& post_;
  int rank_;
};

/// The other processes of a run: threads.
class Others {
 public:
  Others(int processes, const std::string& source, bool can_load = true) : post_(processes), first_(post_, 0) {
    for (int rank = 1; rank < processes; ++rank)
      threads_.emplace_back([this, rank, source, can_load] {
        const auto compiled = compile(source);
        ByHand transport(post_, rank);
        interp::serve(transport, can_load ? compiled->code.get() : nullptr);
      });
  }
  ~Others() {
    interp::end_serving(first_);
    for (std::thread& thread : threads_) thread.join();
  }
  Transport& transport() { return first_; }

 private:
  Post post_;
  ByHand first_;
  std::vector<std::thread> threads_;
};

const std::string kJobs = R"(functions {
    vector one(vector phi, vector theta, data array[] real x, data array[] int n) {
      if (theta[1] > 0.35) reject("job ", n[1], " cannot");
      if (theta[2] > 0) return [normal_lpdf(x | phi[1] + theta[1], exp(theta[2])) + sum(log1p_exp(phi[2] * to_vector(x)))]';
      return [sum(cos(phi[1] * to_vector(x)) .* sin(theta[1] * to_vector(x)))]';
    }
    vector several(vector phi, vector theta, data array[] real x, data array[] int n) {
      if (phi[1] > 0.2) return exp(0.1 * theta[1] * head(to_vector(x), n[1])) + phi[1] * sum(log1p_exp(phi[2] * to_vector(x)));
      return head(to_vector(x), n[1]) + theta[1] * theta[2] * sum(exp(cos(phi[2] * to_vector(x))));
    }
    vector speaking(vector phi, vector theta, data array[] real x, data array[] int n) {
      if (n[1] % 4 == 0) print("job ", n[1]);
      return [sum(exp(cos(phi[1] * to_vector(x)))) * theta[1]]';
    }
  }
  transformed data {
    array[12, 1500] real rx; array[12, 1] int rn;
    for (i in 1:12) { rn[i, 1] = i; for (k in 1:1500) rx[i, k] = sin(i * k); }
  }
  parameters { vector[2] u; array[12] vector[2] th; }
  model { )";

std::vector<double> point(int k) {
  std::vector<double> theta(26);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
  return theta;
}

struct Answer {
  EvalStatus status;
  double lp = 0;
  std::vector<double> gradient;
};

Answer evaluate(ModelWorkspace& workspace, const std::vector<double>& theta) {
  Answer out;
  out.gradient.resize(theta.size());
  run_parallel(2, 1, [&](std::size_t) {
    out.status = workspace.log_density_gradient(theta, {.propto = false, .jacobian = true}, &out.lp, out.gradient);
  });
  return out;
}

void expect_same(const std::string& source, int processes) {
  SCOPED_TRACE(source.substr(source.rfind("target")));
  SCOPED_TRACE(processes);
  Others others(processes, source);
  interp::Cluster cluster(others.transport());
  const auto alone = load(source), spread = load(source, "{}", {.cluster = &cluster});
  ASSERT_TRUE(alone && spread);
  const auto expected = alone->workspace(), first = spread->workspace(), second = spread->workspace();
  for (const int k : {0, 1, 2, 3, 4, 5, 0, 2}) {
    SCOPED_TRACE(k);
    const Answer one = evaluate(*expected, point(k));
    static_cast<interp::InterpWorkspace*>(first.get())->poison();
    double value = 0;
    ASSERT_TRUE(second->log_density(point(k + 1), {.propto = false, .jacobian = true}, &value));
    for (ModelWorkspace* workspace : {first.get(), second.get()}) {
      const Answer many = evaluate(*workspace, point(k));
      ASSERT_TRUE(one.status && many.status) << many.status.message;
      EXPECT_EQ(many.lp, one.lp);
      EXPECT_EQ(many.gradient, one.gradient);
    }
  }
}

TEST(RemoteParts, TheSameBitsForAnyNumberOfProcesses) {
  for (const char* term : {"target += sum(map_rect(one, u, th, rx, rn));",
                           "target += sum(sin(map_rect(several, u, th, rx, rn)));",
                           "target += sum(exp(0.01 * map_rect(several, u, th, rx, rn))) * map_rect(one, th[1], th, rx, rn)[3];"})
    for (const int processes : {1, 2, 3, 20}) expect_same(kJobs + term + " }", processes);
}

TEST(RemoteParts, ErrorsAreThoseOfOneProcess) {
  const std::string source = kJobs + "target += sum(map_rect(one, u, th, rx, rn)); }";
  Others others(3, source);
  interp::Cluster cluster(others.transport());
  const auto alone = load(source), spread = load(source, "{}", {.cluster = &cluster});
  const auto expected = alone->workspace(), workspace = spread->workspace();
  ASSERT_TRUE(evaluate(*workspace, point(0)).status);
  for (const std::size_t job : {1U, 6U, 12U}) {
    std::vector<double> theta = point(1);
    theta[2 * job] = theta[24] = 0.9;  // the last one fails too
    const Answer refused = evaluate(*workspace, theta);
    EXPECT_EQ(refused.status.kind, EvalStatus::Kind::Rejected);
    EXPECT_EQ(refused.status.message, evaluate(*expected, theta).status.message);
    EXPECT_TRUE(refused.status.message.starts_with("job " + std::to_string(job) + " cannot (in 'test.stan', line 3"))
        << refused.status.message;
  }
  EXPECT_EQ(evaluate(*workspace, point(2)).lp, evaluate(*expected, point(2)).lp);
}

TEST(RemoteParts, PrintsComeInTheOrderOfTheJobs) {
  const std::string source = kJobs + "target += sum(map_rect(speaking, u, th, rx, rn)); }";
  Others others(3, source);
  interp::Cluster cluster(others.transport());
  std::string printed;
  interp::InterpModel model(compile(source), interp::DataSource(), 1, [&](std::string_view text) { printed += text; }, nullptr, {.cluster = &cluster});
  const auto workspace = model.workspace();
  ASSERT_TRUE(evaluate(*workspace, point(0)).status);
  ASSERT_TRUE(evaluate(*workspace, point(1)).status);
  EXPECT_EQ(printed, "job 4\njob 8\njob 12\njob 4\njob 8\njob 12\n");
}

TEST(RemoteParts, AProcessWithoutTheProgramSaysSo) {
  const std::string source = kJobs + "target += sum(map_rect(one, u, th, rx, rn)); }";
  Others others(2, source, false);
  interp::Cluster cluster(others.transport());
  const auto model = load(source, "{}", {.cluster = &cluster});
  const Answer answer = evaluate(*model->workspace(), point(0));
  EXPECT_EQ(answer.status.kind, EvalStatus::Kind::Fatal);
  EXPECT_NE(answer.status.message.find("another process of this run could not load the model"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
