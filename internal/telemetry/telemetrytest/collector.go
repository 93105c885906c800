// Package telemetrytest is an OTLP receiver for tests.
package telemetrytest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cerasum/cerasum/internal/telemetry"
	colmetric "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector is an OTLP receiver on this machine.
type Collector struct {
	mu       sync.Mutex
	Raw      bytes.Buffer // all that was received
	Spans    []*trace.Span
	Counters map[string]float64 // "cerasum.left_out malformed"
	Resource map[string]string
}

// Collect starts a receiver that the environment names.
func Collect(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{Counters: map[string]float64{}, Resource: map[string]string{}}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return c
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	c.Raw.Write(body)
	switch {
	case err != nil:
	case r.URL.Path == "/v1/traces":
		var m coltrace.ExportTraceServiceRequest
		err = proto.Unmarshal(body, &m)
		for _, resource := range m.GetResourceSpans() {
			c.about(resource.GetResource().GetAttributes())
			for _, scope := range resource.GetScopeSpans() {
				c.Spans = append(c.Spans, scope.GetSpans()...)
			}
		}
	case r.URL.Path == "/v1/metrics":
		var m colmetric.ExportMetricsServiceRequest
		err = proto.Unmarshal(body, &m)
		for _, resource := range m.GetResourceMetrics() {
			c.about(resource.GetResource().GetAttributes())
			for _, scope := range resource.GetScopeMetrics() {
				for _, one := range scope.GetMetrics() {
					c.take(one)
				}
			}
		}
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (c *Collector) about(attributes []*common.KeyValue) {
	for _, a := range attributes {
		c.Resource[a.GetKey()] = a.GetValue().GetStringValue()
	}
}

func (c *Collector) take(m *metrics.Metric) {
	for _, p := range m.GetSum().GetDataPoints() {
		name := m.GetName()
		for _, a := range p.GetAttributes() {
			name += " " + a.GetValue().GetStringValue()
		}
		c.Counters[name] = p.GetAsDouble() // cumulative
	}
	for _, p := range m.GetHistogram().GetDataPoints() {
		c.Counters[m.GetName()] += float64(p.GetCount())
	}
}

// Named returns the spans with a name.
func (c *Collector) Named(name string) []*trace.Span {
	return slices.DeleteFunc(slices.Clone(c.Spans), func(s *trace.Span) bool { return s.GetName() != name })
}

// Attribute returns an integer attribute of a span; -1 if it has none.
func Attribute(s *trace.Span, name string) int64 {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == name {
			return a.GetValue().GetIntValue()
		}
	}
	return -1
}

// Without checks that nothing of the documents, the files and the machine was sent.
func (c *Collector) Without(t *testing.T, words ...string) {
	t.Helper()
	if host, err := os.Hostname(); err == nil && len(host) >= 4 && !strings.Contains(c.names(), strings.ToLower(host)) {
		words = append(words, host)
	}
	for _, word := range words {
		if bytes.Contains(bytes.ToLower(c.Raw.Bytes()), []byte(strings.ToLower(word))) {
			t.Errorf("%q was exported", word)
		}
	}
}

// names returns the names that are exported from every machine, which a machine may
// have too, in lower case.
func (c *Collector) names() string {
	all := []string{telemetry.Scope, runtime.Version(), c.Resource["telemetry.sdk.name"]}
	for _, s := range c.Spans {
		all = append(all, s.GetName())
		for _, a := range s.GetAttributes() {
			all = append(all, a.GetKey())
		}
	}
	all = slices.AppendSeq(all, maps.Keys(c.Counters))
	all = slices.AppendSeq(all, maps.Keys(c.Resource))
	return strings.ToLower(strings.Join(all, " "))
}
