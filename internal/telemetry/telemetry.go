// Package telemetry exports traces and metrics over OTLP where the environment
// names an endpoint. Otherwise it does nothing: no connection, no goroutine.
//
// Start with [Open]. Nothing of documents, summaries, file names or errors is
// exported, only what package batch counts, and routes and statuses of requests.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/cerasum/cerasum/batch"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// Scope is the instrumentation scope of everything that is exported.
const Scope = "github.com/cerasum/cerasum"

// Telemetry exports. A nil one does nothing.
type Telemetry struct {
	tracer   trace.Tracer
	counters map[string]metric.Float64Counter
	seconds  metric.Float64Histogram // of requests
	closers  []func(context.Context) error
}

// ErrEnvironment is wrapped by errors about variables of the environment.
var ErrEnvironment = errors.New("invalid environment variable")

// signal is traces or metrics.
type signal string

const (
	traces  signal = "TRACES"
	metrics signal = "METRICS"
)

// wanted reports whether the environment asks for a signal.
func wanted(s signal) (bool, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	selector := "OTEL_" + string(s) + "_EXPORTER"
	switch v := os.Getenv(selector); v {
	case "", "otlp":
	case "none":
		return false, nil
	default:
		return false, fmt.Errorf("%w: %s: want otlp or none, got %q", ErrEnvironment, selector, v)
	}
	name, endpoint := lookUp(s, "ENDPOINT")
	if endpoint == "" {
		return false, nil
	}
	// The library would use its default, port 4318 of this machine, and log that.
	if u, err := url.Parse(endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false, fmt.Errorf("%w: %s: want a URL like http://localhost:4318", ErrEnvironment, name)
	}
	if name, v := lookUp(s, "PROTOCOL"); v != "" && v != "http/protobuf" {
		return false, fmt.Errorf("%w: %s: want http/protobuf, got %q", ErrEnvironment, name, v)
	}
	return true, nil
}

// lookUp returns the variable of a signal, or else that of all signals.
func lookUp(s signal, what string) (name, value string) {
	for _, name = range []string{"OTEL_EXPORTER_OTLP_" + string(s) + "_" + what, "OTEL_EXPORTER_OTLP_" + what} {
		if value = os.Getenv(name); value != "" {
			return name, value
		}
	}
	return name, ""
}

// Open returns nil if the environment names no endpoint. The first failure of an
// export is passed to warn. The caller closes the result.
func Open(ctx context.Context, version string, warn func(error)) (*Telemetry, error) {
	spans, err := wanted(traces)
	if err != nil {
		return nil, err
	}
	numbers, err := wanted(metrics)
	if err != nil || !spans && !numbers {
		return nil, err
	}
	// Without detectors of the host and the process: their attributes hold names of
	// the machine, its user and the command line.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "cerasum"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("%w: OTEL_RESOURCE_ATTRIBUTES: %w", ErrEnvironment, err)
	}
	var once sync.Once
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { once.Do(func() { warn(err) }) }))
	t := &Telemetry{counters: map[string]metric.Float64Counter{}}
	var tracers trace.TracerProvider = tracenoop.NewTracerProvider()
	if spans {
		exporter, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, err
		}
		provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
		tracers, t.closers = provider, append(t.closers, provider.Shutdown)
	}
	var meters metric.MeterProvider = metricnoop.NewMeterProvider()
	if numbers {
		exporter, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return nil, errors.Join(err, t.Close(ctx))
		}
		provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)), sdkmetric.WithResource(about))
		meters, t.closers = provider, append(t.closers, provider.Shutdown)
	}
	t.tracer = tracers.Tracer(Scope, trace.WithInstrumentationVersion(version))
	meter := meters.Meter(Scope, metric.WithInstrumentationVersion(version))
	for _, k := range batch.Counters {
		unit := map[string]string{"": "1", "seconds": "s"}[k.Unit]
		if t.counters[k.Name], err = meter.Float64Counter("cerasum."+k.Name, metric.WithDescription(k.Help), metric.WithUnit(unit)); err != nil {
			return nil, errors.Join(err, t.Close(ctx))
		}
	}
	t.seconds, err = meter.Float64Histogram("http.server.request.duration", metric.WithUnit("s"), metric.WithDescription("Time from the head of a request to the end of the answer."),
		metric.WithExplicitBucketBoundaries(Buckets...))
	if err != nil {
		return nil, errors.Join(err, t.Close(ctx))
	}
	return t, nil
}

// Buckets are the upper bounds of the histogram of requests, in seconds.
var Buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// patience limits how long [Telemetry.Close] waits for the endpoints.
var patience = 5 * time.Second

// Close exports what is left, for at most five seconds, also if ctx has ended. An
// endpoint of traces that does not answer does not keep metrics from being exported.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	errs := make([]error, len(t.closers))
	var group sync.WaitGroup
	for i, f := range t.closers {
		group.Go(func() { errs[i] = f(ctx) })
	}
	group.Wait()
	t.closers = nil
	return errors.Join(errs...)
}

// Count adds to the counters.
func (t *Telemetry) Count(ctx context.Context, c *batch.Counts) {
	if t == nil {
		return
	}
	c.Each(func(k *batch.Counter, label string, n float64) {
		if k.Label == "" {
			t.counters[k.Name].Add(ctx, n)
			return
		}
		t.counters[k.Name].Add(ctx, n, metric.WithAttributes(attribute.String(k.Label, label)))
	})
}
