package telemetry

import (
	"context"
	"net/http"
	"time"

	"github.com/cerasum/cerasum/batch"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Span is work that is traced. A nil one does nothing.
type Span struct {
	t    *Telemetry
	ctx  context.Context // with the span
	span trace.Span
	// of requests
	begun         time.Time
	method, route string
}

// Start begins a span within that of ctx, if it has one.
func (t *Telemetry) Start(ctx context.Context, name string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, &Span{t: t, ctx: ctx, span: span}
}

// Request begins the span of a request, within that of the client if the request
// has the W3C header traceparent. Method and route must be known ones, never what
// the client chose; so the header tracestate, which may hold anything, is ignored.
func (t *Telemetry) Request(r *http.Request, method, route string) (*http.Request, *Span) {
	if t == nil {
		return r, nil
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.MapCarrier{"traceparent": r.Header.Get("traceparent")})
	ctx, span := t.tracer.Start(ctx, method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route)))
	return r.WithContext(ctx), &Span{t: t, ctx: ctx, span: span, begun: time.Now(), method: method, route: route}
}

// TraceID returns the id of the trace in hexadecimal; empty if it is not exported.
func (s *Span) TraceID() string {
	if s == nil || !s.span.SpanContext().IsSampled() {
		return ""
	}
	return s.span.SpanContext().TraceID().String()
}

// Lap adds a stage as a span within this one, for [batch.Counts].
func (s *Span) Lap() func(stage string, begun, ended time.Time) {
	if s == nil || !s.span.IsRecording() {
		return nil
	}
	return func(stage string, begun, ended time.Time) {
		_, span := s.t.tracer.Start(s.ctx, stage, trace.WithTimestamp(begun))
		span.End(trace.WithTimestamp(ended))
	}
}

// Counts adds counts to the span.
func (s *Span) Counts(c *batch.Counts) {
	if s == nil {
		return
	}
	c.Each(func(k *batch.Counter, label string, n float64) {
		name := "cerasum." + k.Name
		if label != "" {
			name += "." + label
		}
		if k.Unit == "" {
			s.span.SetAttributes(attribute.Int64(name, int64(n)))
		} else {
			s.span.SetAttributes(attribute.Float64(name, n))
		}
	})
}

// End ends the span. Errors are not exported, since they may quote documents.
func (s *Span) End(failed bool) {
	if s == nil {
		return
	}
	if failed {
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}

// Answered ends the span of a request.
func (s *Span) Answered(status int) {
	if s == nil {
		return
	}
	code := attribute.Int("http.response.status_code", status)
	s.span.SetAttributes(code)
	s.t.seconds.Record(s.ctx, time.Since(s.begun).Seconds(), metric.WithAttributes(attribute.String("http.request.method", s.method), attribute.String("http.route", s.route), code))
	s.End(status >= 500)
}
