# The editor of the site: makes its pages below web/news.test, says so, and changes them from then on.
# A page is replaced as a whole, so that none is served half written.
site=web/news.test
mkdir -p $site

put() { # NAME TEXT
  echo "<title>$1</title><p>$2<p><a href=/>home</a>" > $site/.new && mv $site/.new $site/$1.html
}

put index '<a href=often.html>often</a> <a href=sometimes.html>sometimes</a> <a href=seldom.html>seldom</a>'
put often 0; put sometimes 0; put seldom 0
echo "the pages are in $site"

for ((second = 1; ; second++)); do
  sleep 1
  ((second % 2))  || put often $second
  ((second % 10)) || put sometimes $second
  ((second % 60)) || put seldom $second
done
