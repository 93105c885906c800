package ingest

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cerasum/cerasum/internal/files"
)

const (
	maxRedirects   = 5
	defaultTimeout = 30 * time.Second
)

// contentTypes maps supported media types to formats; other text/* types are read
// as plain text.
var contentTypes = map[string]Format{
	"text/html": HTML, "application/xhtml+xml": HTML,
	"application/pdf": PDF, "application/x-pdf": PDF,
	"text/markdown": Markdown, "text/x-markdown": Markdown,
	"application/json": JSON, "application/jsonl": JSONL, "application/x-jsonlines": JSONL, "application/x-ndjson": JSONL, "application/ndjson": JSONL,
}

// fetch requests a URL.
func (l *Loader) fetch(ctx context.Context, address string) (*source, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	name := u.Redacted()
	if u.Host == "" {
		name = address // without a host there is no password to hide
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s: want an http or https address", name)
	}
	timeout := l.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	// The timeout includes reading the body; Close cancels it.
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("timed out after %v", timeout))
	explain := func(err error) error {
		// The error of a closed connection varies; report the cause instead.
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	src, err := l.get(ctx, u, name)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, explain(err))
		cancel()
		return nil, err
	}
	src.explain = explain
	src.closers = append(src.closers, closerFunc(func() error { cancel(); return nil }))
	return src, nil
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

func (l *Loader) get(ctx context.Context, u *url.URL, name string) (*source, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", l.UserAgent)
	req.Header.Set("Accept", "text/html, application/xhtml+xml, application/pdf;q=0.9, text/markdown;q=0.9, text/plain;q=0.9, */*;q=0.1")
	client := &http.Client{CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("more than %d redirects", maxRedirects)
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, err
	}
	src := &source{name: name, title: name, url: resp.Request.URL, max: orDefault(l.maxDownload, MaxDownload)}
	src.closers = append(src.closers, resp.Body)
	if err := l.accept(resp, src); err != nil {
		src.Close()
		return nil, err
	}
	return src, nil
}

// accept checks the response header and sets the format and the reader.
func (l *Loader) accept(resp *http.Response, src *source) error {
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	if resp.ContentLength > src.max {
		return fmt.Errorf("%w: more than %s", ErrTooLarge, size(src.max))
	}
	// An absent or malformed type is empty: the format is then detected.
	media, params, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	src.charset = params["charset"]
	if err := src.inflate(resp.Body); err != nil {
		return err
	}
	format, known := contentTypes[media]
	gz := media == "application/gzip" || media == "application/x-gzip"
	switch {
	case l.Format != Auto:
		src.format = l.Format
	case known:
		src.format = format
	case media == "", gz, media == "text/plain", media == "application/octet-stream":
		src.format = formatOf(resp.Request.URL.Path, src.peek())
	case files.Handles(unzipped(resp.Request.URL.Path), src.peek()):
		src.format = Packed
	case strings.HasPrefix(media, "text/"):
		src.format = Text
	default:
		return fmt.Errorf("%w: content type %s", ErrBinary, media)
	}
	return nil
}
