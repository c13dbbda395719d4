// Runs a build of the reference compiler for JavaScript, which defines a global function stanc(name, code, flags).
//   node reference_stanc.js STANC.js < JOBS.json
// JOBS: [{name, code, flags}]; prints [{text} or {error}].
const fs = require("fs");
const vm = require("vm");

function run(job) {
  const out = stanc(job.name, job.code, job.flags.map((flag) => flag.replace(/^--/, "")));
  if (out.result === undefined || out.result === null) return { error: String((out.errors || ["", "failed"]).slice(-1)) };
  return { text: String(out.result) };
}

global.require = require;
vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"));
const jobs = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(jobs.map((job) => {
  try {
    return run(job);
  } catch (e) {
    return { error: String(e).slice(0, 1000) };
  }
})));
