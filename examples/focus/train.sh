#!/bin/sh
# Makes topics.tree from pages of twelve topics, four of which lie below knowledge. These pages are
# of another web than the one that is crawled. README.md has the steps for a topic of your own.
#
#   sh examples/focus/train.sh
set -eu
cd "$(dirname "$0")"
bin=${BIN:-../../bin}
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$bin/testweb" -topical web.toml -seed 101 -train "$pages/all" 60
mkdir "$pages/all/knowledge"
for topic in computers health reference science; do
  mv "$pages/all/$topic" "$pages/all/knowledge"
done
"$bin/classify" train -nested -features 2000 -model topics.tree "$pages/all"
