#!/usr/bin/env bash
# What conditioning costs ("Conditioned models" in docs/design/performance.md): one row for each measurement, gradients three times.
#   tests/bench/conditioned.sh build/bin/fermiac [--csv FILE]
set -euo pipefail
usage() { sed -n 's/^#   //p' "$0"; }
case "${1:-}" in -h | --help) usage; exit ;; esac
if [ $# -ne 1 ] && [ "$# ${2:-}" != "3 --csv" ]; then usage >&2; exit 2; fi
fermiac=$(realpath "$1")
csv=$(realpath -m "${3:-/dev/null}")
schools=$(realpath "$(dirname "$0")/../../examples/eight_schools/eight_schools")
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

python3 - <<'P'
import json, random
random.seed(1)
x = [random.gauss(0, 1) for _ in range(1000)]
y = [1 + 2 * v + random.gauss(0, 1) for v in x]
json.dump({"N": 1000, "x": x, "y": y}, open("reg.json", "w"))
json.dump({"N": 1000, "x": x, "y": [None if random.random() < 0.05 else v for v in y]}, open("missing.json", "w"))
json.dump({"N": 10000, "y": [random.gauss(0, 1) for _ in range(10000)]}, open("normal.json", "w"))
json.dump({"weights": {"y": [0.5 + i / 1000 for i in range(1000)]}}, open("each.json", "w"))
names = [f"p{i}" for i in range(100)]
with open("hundred.stan", "w") as f:
    f.write("parameters { " + " ".join(f"real {n};" for n in names) + " }\nmodel {\n")
    f.write("".join(f"  {n} ~ normal(0, {i + 1});\n" for i, n in enumerate(names)) + "}\n")
json.dump({"N": 10, "y": [0.1 * i for i in range(10)]}, open("conjugate.json", "w"))
json.dump({"N": 2000, "x": [[random.gauss(0, 1) for _ in range(3)] for _ in range(2000)],
           "y": [int(random.random() < 0.5) for _ in range(2000)]}, open("logit.json", "w"))
P
cat > reg.stan <<'P'
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 5); s ~ exponential(1); y ~ normal(a + b * x, s); }
P
sed 's/y ~ normal(a + b \* x, s);/for (n in 1:N) y[n] ~ normal(a + b * x[n], s);/' reg.stan > loop.stan
sed 's/ y ~ normal(a + b \* x, s);//' reg.stan > prior.stan
sed 's/y ~ normal(a + b/y ~ student_t(4, a + b/' reg.stan > robust.stan  # no sums serve as statistics
cat > logit.stan <<'P'
data { int N; matrix[N, 3] x; array[N] int<lower=0, upper=1> y; }
parameters { real a; vector[3] b; }
model { a ~ normal(0, 5); b ~ normal(0, 5); y ~ bernoulli_logit(a + x * b); }
P
cat > normal.stan <<'P'
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> s; }
model { mu ~ normal(0, 5); s ~ exponential(1); y ~ normal(mu, s); }
P
cat > conjugate.stan <<'P'
data { int N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
P

gradient() { "$fermiac" bench "$@" 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["us_per_grad"])'; }
seconds() { /usr/bin/env time -f %e "$@" 2>&1 >/dev/null | tail -1; }
draws() { "$fermiac" sample "$1.stan" --data "$1.json" --seed 1 --refresh 0 --no-summary --output "$1" "${@:2}" >/dev/null 2>&1; }

note() { printf '%-50s %10s %s\n' "$1" "$3" "$2"; printf '"%s",%s,%s\n' "$1" "$2" "$3" >>"$csv"; }
gradients() { note "$1, $2" us "$(gradient $3)"; }

echo quantity,unit,value >"$csv"
for _ in 1 2 3; do
  for model in reg loop; do
    gradients $model plain "$model.stan --data reg.json"
    gradients $model "a scalar weight" "$model.stan --data reg.json --weight y=0.5"
    gradients $model "5% of the outcomes missing" "$model.stan --data missing.json"
    gradients $model "a weight for each outcome" "$model.stan --data reg.json --conditioning each.json"
  done
  gradients reg "prior only" "reg.stan --data reg.json --density prior"
  gradients reg "program without likelihood" "prior.stan --data reg.json"
  gradients robust plain "robust.stan --data reg.json"
  gradients robust "5% of the outcomes missing" "robust.stan --data missing.json"
  gradients logit plain "logit.stan --data logit.json"
  gradients logit "a scalar weight" "logit.stan --data logit.json --weight y=0.5"
done
twenty_times() { seconds bash -c "for _ in {1..20}; do '$fermiac' $1 hundred.stan; done"; }
note "sites of 100 statements, 20 times" s "$(twenty_times sites)"
note "check-model of 100 statements, 20 times" s "$(twenty_times check-model)"
draws reg --samples 2500
draws normal --chains 1
note "10 000 predictions of reg" s "$(seconds "$fermiac" predict reg.stan --data reg.json --draws reg/reg_1.csv reg/reg_2.csv reg/reg_3.csv reg/reg_4.csv)"
note "log-lik of 1000 draws, 10 000 outcomes" s "$(seconds "$fermiac" log-lik normal.stan --data normal.json --draws normal/normal_1.csv --output likelihoods)"
note "sbc, 400 simulations, conjugate normal" s "$(seconds "$fermiac" sbc conjugate.stan --data conjugate.json --simulations 400 --seed 1)"
note "sbc, 400 simulations, eight schools" s "$(seconds "$fermiac" sbc "$schools.stan" --data "$schools.json" --simulations 400 --seed 1)"
