#!/bin/sh
# Makes quality.model from pages of two kinds, good and bad. These pages are of another web than the one
# that is crawled. For a real corpus, put your own pages into good/ and bad/, and keep the last line.
#
#   sh examples/corpus/train.sh
set -eu
cd "$(dirname "$0")"
bin=${BIN:-../../bin}
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$bin/testweb" -topical web.toml -seed 101 -train "$pages/all" 100
mkdir "$pages/kinds" "$pages/kinds/good" "$pages/kinds/bad"
mv "$pages/all/science" "$pages/all/society" "$pages/kinds/good"
mv "$pages/all/adult" "$pages/all/shopping" "$pages/kinds/bad"
"$bin/classify" train -method linear -features 2000 -model quality.model "$pages/kinds"
