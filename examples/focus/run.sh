#!/bin/sh
# Trains a model, crawls the same web with a soft focus, with a hard one and without any, and draws
# the three harvest rates into harvest.svg. It prints the last row of each: pages, and the mean
# worth of the last 100, of the last 1,000, and of all.
#
#   go build -o bin/ ./... && sh examples/focus/run.sh
set -eu
cd "$(dirname "$0")"
bin=${BIN:-../../bin}
sh train.sh
for focus in soft hard none; do
  code=0
  "$bin/manager" run -var focus=$focus crawl.toml || code=$?
  [ $code = 0 ] || [ $code = 7 ] || exit $code # 7: the limit of [stop]
done
rm -f harvest.svg
segment() { echo "$1=$(ls crawl/"$1"/state/curve/*)"; }
tables=$("$bin/harvest" -show -svg harvest.svg "$(segment soft)" "$(segment hard)" "$(segment none)")
echo "$tables" | awk '/^#/ {if (row) print row; name = $2} /^[0-9]/ {row = name "\t" $0} END {print row}'
