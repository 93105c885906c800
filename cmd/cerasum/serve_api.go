package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/service"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/site"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/api"
	"github.com/spf13/cobra"
)

// apiFlags are the flags of "serve --api".
type apiFlags struct {
	on                         bool
	tokenFile, token           string
	encoder                    encoderFlags
	concurrency, queue         int
	maxBody                    int // MiB
	maxDocuments, maxSentences int
	timeLimit                  time.Duration
	origins                    []string
	log                        string
}

const (
	// apiWait is how long a request may wait for its turn.
	apiWait = 10 * time.Second
	// apiRoom is the minimum of bytes for all bodies in memory.
	apiRoom = 64 << 20
	// maxConnections are open at once; others wait to be accepted.
	maxConnections = 1024
	// tokenVariable is the environment variable with the token.
	tokenVariable = "CERASUM_TOKEN"
)

var logs = []string{"json", "text", "off"}

func (f *apiFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.on, "api", false, "also answer requests for summaries, under /v1/")
	flags.StringVar(&f.tokenFile, "token-file", "", "file with the token that requests for summaries must present")
	flags.StringVarP(&f.encoder.name, "encoder", "e", "", "encoder for embeddings: lexical (none: words only), "+encoderForms+" (default: the shipped one)")
	flags.IntVar(&f.concurrency, "concurrency", 0, "number of requests computed at once (0: one per processor)")
	flags.IntVar(&f.queue, "queue", 64, "number of requests that may wait for their turn; others are answered with 503")
	flags.IntVar(&f.maxBody, "max-body", 8, "maximum size of a request in MiB")
	flags.IntVar(&f.maxDocuments, "max-documents", 1000, "maximum number of documents of a request")
	flags.IntVar(&f.maxSentences, "max-sentences", 2000, "maximum number of sentences of a request")
	flags.DurationVar(&f.timeLimit, "time-limit", 10*time.Second, "time limit for the work on a request")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "comma-separated origins whose pages may read the answers, for example https://news.example, or *")
	flags.StringVar(&f.log, "log", logs[0], "log of requests on standard error: "+strings.Join(logs, ", "))
	f.encoder.add(cmd, noEncoder)
	complete(cmd, "log", logs...)
}

// check validates the flags; those of the interface require --api.
func (f *apiFlags) check(cmd *cobra.Command) error {
	if !f.on {
		for _, name := range []string{"token-file", "encoder", "ort-library", "concurrency", "queue", "max-body", "max-documents", "max-sentences", "time-limit", "allow-origin", "log"} {
			if cmd.Flags().Changed(name) {
				return usage(fmt.Errorf("--%s requires --api", name))
			}
		}
		return nil
	}
	for _, n := range []struct {
		flag            string
		value, min, max int
	}{
		{"concurrency", f.concurrency, 0, maxWorkers}, {"queue", f.queue, 0, maxConnections}, {"max-body", f.maxBody, 1, 512},
		{"max-documents", f.maxDocuments, 1, math.MaxInt32}, {"max-sentences", f.maxSentences, 1, math.MaxInt32},
	} {
		if n.value < n.min || n.value > n.max {
			return usage(fmt.Errorf("--%s %d: want %d to %d", n.flag, n.value, n.min, n.max))
		}
	}
	if f.timeLimit <= 0 || f.timeLimit > serveWriteTimeout-apiWait {
		return usage(hinted{fmt.Errorf("--time-limit %v: want more than 0 and at most %v", f.timeLimit, serveWriteTimeout-apiWait), "write it like 500ms or 5s"})
	}
	for i, origin := range f.origins {
		if origin == "*" {
			continue
		}
		origin = strings.ToLower(strings.TrimSuffix(origin, "/"))
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || origin != u.Scheme+"://"+u.Host {
			return usage(hinted{fmt.Errorf("--allow-origin %q: want an origin", f.origins[i]), "write it like https://news.example"})
		}
	}
	if _, err := oneOf("log", f.log, logs); err != nil {
		return err
	}
	return f.readToken()
}

// maxToken limits the bytes read of a token file.
const maxToken = 4 << 10

// readToken reads the token of the file or of the environment. An empty one would
// protect nothing.
func (f *apiFlags) readToken() error {
	if f.tokenFile == "" {
		token, given := os.LookupEnv(tokenVariable)
		if f.token = strings.TrimSpace(token); given && f.token == "" {
			return usage(hinted{errors.New(tokenVariable + ": want a token, got an empty value"), "unset it to require no token"})
		}
		return nil
	}
	info, err := os.Stat(f.tokenFile)
	if err != nil {
		return err
	}
	if info.Size() > maxToken {
		return fmt.Errorf("--token-file %s: want at most %d bytes, got %d", f.tokenFile, maxToken, info.Size())
	}
	data, err := os.ReadFile(f.tokenFile)
	if err != nil {
		return err
	}
	if f.token = strings.TrimSpace(string(data)); f.token == "" {
		return fmt.Errorf("--token-file %s: want a token, got an empty file", f.tokenFile)
	}
	return nil
}

// openAPI opens the interface. The returned function frees the encoder.
func (a *app) openAPI(ctx context.Context, f *serveFlags) (*service.Service, func() error, error) {
	c := service.Config{Token: f.api.token, Answers: site.Answers(f.hosts()), Concurrent: cmp.Or(f.api.concurrency, runtime.GOMAXPROCS(0)), Queue: f.api.queue, Wait: apiWait, Room: apiRoom}
	c.API = api.Config{
		Limits:  api.Limits{Body: f.api.maxBody << 20, Documents: f.api.maxDocuments, Sentences: f.api.maxSentences, Time: f.api.timeLimit, Steps: math.MaxInt},
		Origins: f.api.origins,
	}
	switch f.api.log {
	case "json":
		c.Log = slog.New(slog.NewJSONHandler(a.stderr, nil))
	case "text":
		c.Log = slog.New(slog.NewTextHandler(a.stderr, nil))
	}
	free := func() error { return nil }
	if f.api.encoder.name != noEncoder {
		e, err := a.openAPIEncoder(f.api.encoder)
		switch {
		case err == nil:
			c.API.Encoder, free = e, e.close
		case errors.Is(err, errNoEncoder):
			a.warn("this program was built without an encoder: only words are compared")
		default:
			return nil, nil, err
		}
	}
	exporting, err := openTelemetry(ctx, a)
	if err != nil {
		return nil, nil, errors.Join(err, free())
	}
	c.Telemetry = exporting
	freeEncoder := free
	free = func() error {
		closeTelemetry(ctx, a, exporting)
		return freeEncoder()
	}
	if ip := net.ParseIP(f.host); c.Token == "" && f.host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		a.warn("anyone who reaches this address can request summaries: --token-file requires a token")
	}
	return service.New(c), free, nil
}

// withAPI answers the routes of the interface, and passes on all others.
func withAPI(s *service.Service, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if service.Handles(r) {
			s.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// apiEncoder embeds the sentences of requests, like the embedder of other commands.
type apiEncoder struct {
	app   *app
	flags encoderFlags
	model *encoder.Model
	// turn is held by the request that is embedded: the encoder uses all
	// processors itself.
	turn chan struct{}
	// weights by licence, and by method.
	weights map[string]map[string]namedWeights
}

func (a *app) openAPIEncoder(f encoderFlags) (*apiEncoder, error) {
	model, err := openEncoder(f)
	if err != nil {
		return nil, err
	}
	e := &apiEncoder{app: a, flags: f, model: model, turn: make(chan struct{}, 1), weights: map[string]map[string]namedWeights{}}
	for _, licence := range []string{"", core.LicenceFree, core.LicenceAny} {
		loaded, err := (&weightsFlags{}).load([]string{"cera", "cerai"}, licence, true)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, model.Close())
		}
		for method, w := range loaded {
			// Weights are for one encoder; another has none.
			if w.check(model) != nil {
				delete(loaded, method)
			}
		}
		e.weights[licence] = loaded
	}
	return e, nil
}

// close frees the model after the request that is embedded; no other gets its turn.
func (e *apiEncoder) close() error {
	e.turn <- struct{}{}
	return e.model.Close()
}

// Supports implements api.Encoder.
func (e *apiEncoder) Supports(method string) bool {
	info := methodInfo(method)
	if info.Weights == core.WeightsRequired {
		_, ok := e.weights[""][method]
		return ok
	}
	return mayEmbed(info)
}

// Prepare implements api.Encoder.
func (e *apiEncoder) Prepare(ctx context.Context, s *core.Session, o *core.Options) error {
	method := methodInfo(o.Method)
	one := &embedder{app: e.app, flags: e.flags, method: method, weight: o.DenseWeight, model: e.model, silent: true}
	if method.Weights == core.WeightsRequired {
		w, ok := e.weights[o.Licence][method.Name]
		if !ok {
			return &core.OptionError{Name: "licence", Message: "method " + method.Name + " has no weights with this licence"}
		}
		one.weights = &w
	}
	o.DenseWeight = nil // the embedder sets it where there are embeddings
	if !one.wants(s, o.Query != "") {
		return nil
	}
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return api.ErrBusy // other requests took the time
		}
		return ctx.Err()
	}
	defer func() { <-e.turn }()
	return one.embed(ctx, s, o)
}
