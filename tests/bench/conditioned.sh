#!/usr/bin/env bash
# What conditioning costs: the table "Models under a conditioning" of docs/design/performance.md.
#   tests/bench/conditioned.sh build/bin/fermiac
set -euo pipefail
fermiac=$(realpath "$1")
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

for _ in 1 2 3; do
  echo "reg: $(gradient reg.stan --data reg.json) us, weight $(gradient reg.stan --data reg.json --weight y=0.5)," \
    "missing $(gradient reg.stan --data missing.json), prior context $(gradient reg.stan --data reg.json --context prior)," \
    "without likelihood $(gradient prior.stan --data reg.json)," \
    "a weight for each outcome $(gradient reg.stan --data reg.json --conditioning each.json)"
  echo "loop: $(gradient loop.stan --data reg.json) us, weight $(gradient loop.stan --data reg.json --weight y=0.5)," \
    "missing $(gradient loop.stan --data missing.json), a weight for each outcome $(gradient loop.stan --data reg.json --conditioning each.json)"
  echo "robust: $(gradient robust.stan --data reg.json) us, missing $(gradient robust.stan --data missing.json)"
  echo "logit: $(gradient logit.stan --data logit.json) us, weight $(gradient logit.stan --data logit.json --weight y=0.5)"
done
echo "20 times 100 statements: sites $(seconds bash -c "for _ in {1..20}; do '$fermiac' sites hundred.stan; done") s," \
  "check-model $(seconds bash -c "for _ in {1..20}; do '$fermiac' check-model hundred.stan; done") s"
draws reg --samples 2500
draws normal --chains 1
echo "10 000 predictions: $(seconds "$fermiac" predict reg.stan --data reg.json --draws reg/reg_1.csv reg/reg_2.csv reg/reg_3.csv reg/reg_4.csv) s"
echo "log-lik of 1000 draws: $(seconds "$fermiac" log-lik normal.stan --data normal.json --draws normal/normal_1.csv --output likelihoods) s"
echo "sbc: $(seconds "$fermiac" sbc conjugate.stan --data conjugate.json --simulations 400 --seed 1) s," \
  "eight schools $(seconds "$fermiac" sbc "$schools.stan" --data "$schools.json" --simulations 400 --seed 1) s"
