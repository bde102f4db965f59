// Package telemetry counts what the service does, for Prometheus, and tells an OpenTelemetry collector of it if one is configured: its
// metrics, and a span for each run, call and decision.
//
// It may not send anything that is not configured, or have arguments, codes, outputs or tokens in what it counts and sends.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// Options say where telemetry goes.
type Options struct {
	// Endpoint is the base URL of a collector that speaks OTLP over HTTP. If it is empty the variables OTEL_EXPORTER_OTLP_ENDPOINT,
	// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_METRICS_ENDPOINT say it, and without these nothing is sent.
	Endpoint string
	Version  string // of the service
	Log      *slog.Logger
}

// A Telemetry has the metrics and traces of a server. It is safe for concurrent use.
type Telemetry struct {
	instruments
	metrics *metric.MeterProvider
	traces  *trace.TracerProvider // nil if none are sent
	spans   *spans                // likewise
	handler http.Handler
}

// New begins to count, and to send if that is configured.
func New(ctx context.Context, o Options) (t *Telemetry, err error) {
	if o.Endpoint != "" {
		if u, err := url.Parse(o.Endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, errors.New("the URL of a collector has the form http://host:4318")
		}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("telemetry was not sent", "error", err) }))
	res, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "sandtrapd"), attribute.String("service.version", o.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	page, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return nil, err
	}
	readers := []metric.Option{metric.WithReader(page), metric.WithResource(res)}
	if send, err := metricsOut(ctx, o.Endpoint); err != nil {
		return nil, err
	} else if send != nil {
		readers = append(readers, metric.WithReader(metric.NewPeriodicReader(send)))
	}
	t = &Telemetry{
		metrics: metric.NewMeterProvider(readers...),
		handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}),
	}
	if t.instruments, err = newInstruments(t.metrics.Meter("sandtrapd")); err != nil {
		return nil, err
	}
	return t, t.openTraces(ctx, o.Endpoint, res)
}

// configured reports that one of the variables is set.
func configured(names ...string) bool {
	for _, name := range names {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// metricsOut sends metrics; it is nil if that is not configured.
func metricsOut(ctx context.Context, endpoint string) (metric.Exporter, error) {
	switch {
	case endpoint != "":
		to, err := url.JoinPath(endpoint, "v1/metrics")
		if err != nil {
			return nil, err
		}
		return otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(to))
	case configured("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"):
		return otlpmetrichttp.New(ctx)
	}
	return nil, nil
}

// openTraces sends traces, if that is configured.
func (t *Telemetry) openTraces(ctx context.Context, endpoint string, res *resource.Resource) error {
	var options []otlptracehttp.Option
	switch {
	case endpoint != "":
		to, err := url.JoinPath(endpoint, "v1/traces")
		if err != nil {
			return err
		}
		options = append(options, otlptracehttp.WithEndpointURL(to))
	case !configured("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
		return nil
	}
	send, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return fmt.Errorf("traces: %w", err)
	}
	t.traces = trace.NewTracerProvider(trace.WithBatcher(send), trace.WithResource(res))
	t.spans = newSpans(t.traces.Tracer("sandtrapd"))
	return nil
}

// Metrics serves the metrics, in the text format of Prometheus.
func (t *Telemetry) Metrics() http.Handler { return t.handler }

// Observe is told of each event of the record.
func (t *Telemetry) Observe(e record.Event) {
	t.decided(&e)
	if t.spans != nil {
		t.spans.observe(e)
	}
}

// Close sends what was not sent yet, until ctx ends.
func (t *Telemetry) Close(ctx context.Context) error {
	err := t.metrics.Shutdown(ctx)
	if t.traces != nil {
		err = errors.Join(err, t.traces.Shutdown(ctx))
	}
	return err
}
