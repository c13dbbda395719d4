// Several processes for one command (plugins/mpi/launch.h).
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>

#include "cli/fermiac/runs/chain_collector.h"
#include "cli/fermiac/runs/chain_reporter.h"
#include "cli/fermiac/runs/sample_together.h"
#include "cli/fermiac/shared/invocation.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "inference/mcmc/chain_plan.h"
#include "interp/parallel/cluster.h"
#include "plugins/mpi/launch.h"
#include "support/base/interrupted.h"
#include "support/platform/output.h"
#include "support/platform/signals.h"
#include "support/platform/threads.h"

namespace fermiac::cli {
namespace {

int refuse(const LaunchPlace& place, const std::string& why) {
  if (place.rank == 0)
    std::fprintf(stderr,
                 "fermiac: one of %d processes started by mpirun, but %s\nFERMIAC_MPI=off lets each run for itself.\n",
                 place.size, why.c_str());
  return 1;
}

/// Until the process that draws ends. `loaded` is told whether the program was.
void serve_jobs(const Invocation& invocation, Transport& transport, const std::function<void(bool)>& loaded) {
  ignore_end_signals();  // process 0 alone decides when the run ends
  std::shared_ptr<const interp::CompiledModel> program;
  run_reported(invocation, [&] { return program = load_program(*invocation.model), 0; });
  const interp::Code* code = program ? program->code.get() : nullptr;
  loaded(code != nullptr);
  run_parallel(invocation.threads ? *invocation.threads : 1, 1, [&](std::size_t) { interp::serve(transport, code); });
}

int run_worker(const Invocation& invocation, Transport& transport) {
  if (!silence_streams()) return 1;
  serve_jobs(invocation, transport, [](bool) {});
  transport.leave();
  return 0;
}

/// Parts of the processes (Transport::part): what is told of chains, and jobs of map_rect for the one that draws.
constexpr int kChains = 1, kJobs = 2;

/// The number of this process in the run, the plan, and the processes that work on its chains.
struct Together {
  Transport& all;
  inference::ChainPlan plan;
  int rank = 0;
  std::unique_ptr<Transport> chains, jobs;

  Together(Transport& transport, const SampleArgs& args)
      : all(transport), plan(transport.size(), inference::drawn_chains(args.options)), rank(transport.rank()) {
    std::vector<int> everybody(static_cast<std::size_t>(transport.size()));
    std::iota(everybody.begin(), everybody.end(), 0);
    chains = transport.part(std::move(everybody), kChains);
    jobs = transport.part(plan.group_of(plan.drawer_of(rank)), kJobs);
  }
};

/// Runs `draw` with the processes that serve this one.
template <class Draw>
void with_servers(const Invocation& invocation, Transport& jobs, Draw draw) {
  interp::Cluster cluster(jobs, &Stop::flag());
  if (jobs.size() > 1) invocation.model->cluster = &cluster;
  draw();
  interp::end_serving(jobs);
}

/// Those who wait for a process that is gone would wait for ever.
[[noreturn]] void end_alone(int status) {
  std::fflush(nullptr);
  std::_Exit(status);
}

int collect_chains(const Invocation& invocation, Together& t) {
  const auto lost = [&t](int process) {
    const int drawer = t.plan.drawer_of(process);
    if (t.plan.draws(process)) return;
    if (drawer == 0) Stop::flag() = true;  // a job may never be answered
    else t.chains->send(t.plan.group_of(drawer).front(), Order{.kind = Order::Kind::Stop}.pack());
  };
  ChainCollector others(*t.chains, lost);
  Stop stop(invocation.timeout ? *invocation.timeout : inference::kNoLimit);
  int status = 1;
  with_servers(invocation, *t.jobs, [&] { status = sample_and_collect(invocation, t.plan, others, stop); });
  if (!others.end()) end_alone(status);
  t.all.leave();
  return status;
}

int report_chains(const Invocation& invocation, Together& t) {
  const bool serves_first = t.plan.drawer_of(t.rank) == 0;
  ChainReporter reporter(*t.chains, [=] {
    if (serves_first) end_alone(1);
  });
  bool there = true;
  if (t.plan.draws(t.rank)) {
    Stop stop(invocation.timeout ? *invocation.timeout : inference::kNoLimit);
    with_servers(invocation, *t.jobs, [&] { there = sample_and_report(invocation, t.plan.ids_of(t.plan.drawer_of(t.rank)), reporter, stop); });
  } else {
    serve_jobs(invocation, *t.jobs, [&](bool loaded) { reporter.loaded(loaded); });
    there = reporter.done({});
  }
  if (!there) end_alone(1);
  t.all.leave();
  return 0;
}

int run_together(const Invocation& invocation, Transport& transport) {
  Together t(transport, *invocation.chains);
  return t.rank == 0 ? collect_chains(invocation, t) : report_chains(invocation, t);
}

int run_alone(const Invocation& invocation) {
  if (invocation.session) return invocation.session();
  Stop stop(invocation.timeout ? *invocation.timeout : inference::kNoLimit);
  return run_reported(invocation, [&] { return invocation.run(stop); }, &stop);
}

int run_first(const Invocation& invocation, Transport& transport) {
  interp::Cluster cluster(transport, &Stop::flag());
  invocation.model->cluster = &cluster;
  const int status = run_alone(invocation);
  interp::end_serving(transport);
  transport.leave();
  return status;
}

}  // namespace

int run_reported(const Invocation& invocation, const std::function<int()>& body, const Stop* stop) {
  try {
    return body();
  } catch (const ad::Interrupted& e) {
    return refuse(stop ? stop->reason() : e.what());
  } catch (const interp::MissingVariable& e) {
    const bool none = invocation.model && invocation.model->data.empty();
    return refuse(std::string(e.what()) + (none ? "; no data were given, see --data" : ""));
  } catch (const InputError& e) {
    return refuse(e);
  }
}

int start(const Invocation& invocation) {
  const LaunchPlace place = launch_place();
  if (place.size <= 1) return run_alone(invocation);
  if (!invocation.model) return place.rank == 0 ? run_alone(invocation) : 0;
  std::unique_ptr<Transport> transport;
  if (const Status bad = join_processes(place, own_mpi_module(), &transport); !bad) return refuse(place, bad.message);
  if (invocation.chains && can_draw_apart(*invocation.chains)) return run_together(invocation, *transport);
  return transport->rank() == 0 ? run_first(invocation, *transport) : run_worker(invocation, *transport);
}

}  // namespace fermiac::cli
