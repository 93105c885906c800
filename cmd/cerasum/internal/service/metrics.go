package service

import (
	"net/http"
	"strconv"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/telemetry"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts requests, in the Prometheus text format.
type metrics struct {
	requests *prometheus.CounterVec
	counters map[string]*prometheus.CounterVec // by the names of [batch.Counters]
	seconds  *prometheus.HistogramVec
	handler  http.Handler
}

func newMetrics(s *Service) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "cerasum_http_requests_total", Help: "Requests by route, method and status; 499 is a client that left."}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "cerasum_http_request_seconds", Help: "Time from the head of a request to the end of the answer.",
			Buckets: telemetry.Buckets}, []string{"route"}),
		counters: map[string]*prometheus.CounterVec{},
	}
	gauge := func(name, help string, value func() int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	about := prometheus.NewGauge(prometheus.GaugeOpts{Name: "cerasum_build_info", Help: "1, with the version as a label.", ConstLabels: prometheus.Labels{"version": core.Version}})
	about.Set(1)
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.seconds, about,
		gauge("cerasum_http_running", "Requests being computed.", func() int64 { return int64(len(s.gate.running)) }),
		gauge("cerasum_http_waiting", "Requests waiting to be computed.", s.gate.waiting.Load),
		gauge("cerasum_http_body_bytes", "Bytes of bodies in memory.", s.room.in.Load),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, k := range batch.Counters {
		name, labels := "cerasum_"+k.Name, []string(nil)
		if k.Unit != "" {
			name += "_" + k.Unit
		}
		if k.Label != "" {
			labels = []string{k.Label}
		}
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name + "_total", Help: k.Help}, labels)
		m.counters[k.Name] = v
		registry.MustRegister(v)
		// All series from the start: rates of those that appear later miss the first count.
		if k.Label == "" {
			v.WithLabelValues()
		}
		for _, label := range k.Values {
			v.WithLabelValues(label)
		}
	}
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// add adds the counts of a request.
func (m *metrics) add(c *batch.Counts) {
	c.Each(func(k *batch.Counter, label string, n float64) {
		if k.Label == "" {
			m.counters[k.Name].WithLabelValues().Add(n)
			return
		}
		m.counters[k.Name].WithLabelValues(label).Add(n)
	})
}

func (m *metrics) count(r *http.Request, status int, passed time.Duration) {
	m.requests.WithLabelValues(routeOf(r), known(r.Method), strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(routeOf(r)).Observe(passed.Seconds())
}
