package examples

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A promServer is a Prometheus that scrapes the window of a crawl each second.
type promServer struct {
	t       testing.TB
	address string
}

// watched starts a window of the bench and a Prometheus that scrapes it. Both end with the test.
func (b *bench) watched(prometheus string) *promServer {
	b.t.Helper()
	window, p := freeAddress(b.t), &promServer{b.t, freeAddress(b.t)}
	rules, err := filepath.Abs("monitor/rules.yml")
	if err != nil {
		b.t.Fatal(err)
	}
	config := strings.NewReplacer("127.0.0.1:8481", window, "15s ", "1s ", "[rules.yml]", "["+rules+"]").
		Replace(read(b.t.(*testing.T), "monitor/prometheus.yml"))
	b.write("prometheus.yml", config)
	b.background(filepath.Join(b.bin, "window"), "-listen", window, b.path(b.script))
	b.background(prometheus, "--config.file", b.path("prometheus.yml"), "--storage.tsdb.path", b.path("tsdb"),
		"--web.listen-address", p.address, "--log.level", "warn")
	until(b.t, "Prometheus is ready, and has the crawl", func() bool {
		answer, err := http.Get("http://" + p.address + "/-/ready")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK && len(p.ask("multitext_crawl_readable")) == 1
	})
	return p
}

// background starts a program that ends with the test.
func (b *bench) background(program string, args ...string) {
	b.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
}

// A sample is a series and its value.
type sample struct {
	Metric map[string]string
	Value  [2]any
}

func (s sample) n() float64 {
	n, err := strconv.ParseFloat(fmt.Sprint(s.Value[1]), 64)
	if err != nil {
		panic(err)
	}
	return n
}

// name is the metric without its prefix, and its labels but for those that all have.
func (s sample) name() string {
	text := strings.TrimPrefix(s.Metric["__name__"], "multitext_")
	for _, label := range []string{"name", "queue", "reason", "result", "stage", "state"} {
		if value, there := s.Metric[label]; there {
			text += " " + label + "=" + value
		}
	}
	return text
}

// ask returns what an expression finds now.
func (p *promServer) ask(expr string) []sample {
	p.t.Helper()
	var answer struct {
		Status, Error string
		Data          struct{ Result []sample }
	}
	p.get("query?query="+url.QueryEscape(expr), &answer)
	if answer.Status != "success" {
		p.t.Errorf("%s: %s", expr, answer.Error)
	}
	return answer.Data.Result
}

func (p *promServer) get(what string, answer any) {
	p.t.Helper()
	r, err := http.Get("http://" + p.address + "/api/v1/" + what)
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(answer); err != nil {
		p.t.Fatal(err)
	}
}

// until waits until an expression finds something.
func (p *promServer) until(expr string) {
	p.t.Helper()
	until(p.t, expr, func() bool { return len(p.ask(expr)) > 0 })
}

// soundRules waits until each rule was evaluated, and none could not be.
func (p *promServer) soundRules() {
	p.t.Helper()
	var answer struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	until(p.t, "every rule was evaluated", func() bool {
		p.get("rules", &answer)
		for _, g := range answer.Data.Groups {
			for _, r := range g.Rules {
				if r.Health != "ok" {
					return false
				}
			}
		}
		return len(answer.Data.Groups) == 1
	})
}
