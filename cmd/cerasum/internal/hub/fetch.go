package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	maxRedirects  = 10
	maxRetryAfter = 2 * time.Minute
	// Limits for servers that send no Content-Length: for configuration files
	// and for weights.
	maxText    = 256 << 20
	maxWeights = 16 << 30
)

// tuning holds values that tests reduce.
type tuning struct {
	tries      int           // consecutive tries without a new byte
	restarts   int           // of a file whose hash was wrong or that had changed
	backoff    time.Duration // before the second try; doubled with each
	checkpoint int64         // bytes between two flushes to disk
	create     func(name string) (partFile, error)
}

func (t *tuning) defaults() {
	if t.tries == 0 {
		*t = tuning{tries: 6, restarts: 2, backoff: 500 * time.Millisecond, checkpoint: 16 << 20, create: t.create}
	}
	if t.create == nil {
		t.create = func(name string) (partFile, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666) }
	}
}

// partFile is a file being downloaded.
type partFile interface {
	io.Writer
	io.Seeker
	io.Closer
	Truncate(size int64) error
	Sync() error
}

var (
	errNotFound    = errors.New("not found")
	errNotModified = errors.New("not modified")
	errWebPage     = errors.New("the server sent a web page instead of the file")
)

// gone is an error about a repository that lacks a required file.
type gone struct{ error }

func (g gone) Unwrap() error { return g.error }

// final is an error that a retry would not fix.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// A transfer downloads one file.
type transfer struct {
	*download
	source, path string
	hash         string // expected SHA-256; empty: unknown
	bytes        int64  // expected size, if there is a hash
	etag         string // of a copy that is already there

	at     partial // state of the .part file
	wait   time.Duration
	seen   heads
	loaded int64 // last value passed to Progress
}

// heads are what the response headers say about the file.
type heads struct {
	commit, sha256, blob string // blob: git's SHA-1
	etag                 string // of the last response
}

func (t *transfer) part() string { return t.local(t.path) + ".part" }

// run retries until the file is complete and verified.
func (t *transfer) run(ctx context.Context) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(t.part()), 0o777); err != nil {
		return nil, err
	}
	t.at = partial{Source: t.source, Path: t.path, Total: -1}
	if p := t.state.Partial; p != nil && p.Source == t.source && p.Path == t.path {
		if info, err := os.Stat(t.part()); err == nil && info.Size() >= p.Bytes {
			t.at = *p
		}
	}
	f, err := t.options.tuning.create(t.part())
	if err != nil {
		return nil, err
	}
	w := &writer{file: f}
	defer func() { _ = w.file.Close() }()
	failed, restarts := 0, 0
	for {
		before := t.at.Bytes
		err := t.try(ctx, w)
		if err == nil {
			var file *File
			if file, err = t.accept(w); err == nil {
				return file, nil
			}
			t.at.Bytes = 0 // complete, but wrong
		}
		var wrong mismatch
		switch {
		case ctx.Err() != nil:
			return nil, errors.Join(context.Cause(ctx), t.keep(w))
		case w.err != nil:
			// Most often the disk is full: remove the partial file.
			_ = w.file.Close()
			_ = os.Remove(t.part())
			t.state.Partial = nil
			return nil, fmt.Errorf("cannot write %s: %w", t.part(), w.err)
		case errors.As(err, &wrong):
			t.at = partial{Source: t.source, Path: t.path, Total: -1}
			if restarts++; restarts >= t.options.tuning.restarts {
				_ = os.Remove(t.part())
				t.state.Partial = nil
				return nil, errors.Join(err, t.save())
			}
			failed = 0
		case errors.As(err, new(final)), errors.As(err, new(gone)), errors.Is(err, errNotFound), errors.Is(err, errNotModified):
			if t.at.Bytes == 0 {
				return nil, errors.Join(err, os.Remove(t.part()))
			}
			return nil, errors.Join(err, t.keep(w))
		default:
			if t.at.Bytes > before {
				failed = 0
			}
			if failed++; failed >= t.options.tuning.tries {
				return nil, errors.Join(fmt.Errorf("%w (tried %d times)", err, failed), t.keep(w))
			}
		}
		pause := t.options.tuning.backoff << min(failed, 6)
		pause = max(pause/2+rand.N(pause/2+1), t.wait)
		t.wait = 0
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), t.keep(w))
		case <-time.After(pause):
		}
	}
}

// keep flushes the partial file to disk, so that a later run can resume.
func (t *transfer) keep(w *writer) error {
	if t.at.Bytes == 0 || w.err != nil {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	p := t.at
	t.state.Partial = &p
	return t.save()
}

// mismatch is an error about a file with the wrong content.
type mismatch struct{ error }

// writer keeps its write error, to distinguish it from errors of the server.
type writer struct {
	file partFile
	err  error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.err = err
	return n, err
}

// from truncates the file to n bytes and continues writing there.
func (w *writer) from(n int64) error {
	w.err = w.file.Truncate(n)
	if w.err == nil {
		_, w.err = w.file.Seek(n, io.SeekStart)
	}
	return w.err
}

// try makes one request for the missing bytes.
func (t *transfer) try(parent context.Context, w *writer) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	silent := fmt.Errorf("no data from the server for %v", t.options.IdleTimeout)
	idle := time.AfterFunc(t.options.IdleTimeout, func() { cancel(silent) })
	defer idle.Stop()
	explain := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}

	revision := t.revision
	if t.state.Commit != "" {
		revision = t.state.Commit
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url(revision, t.source), nil)
	if err != nil {
		return final{err}
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept-Encoding", "identity") // ranges and sizes are of the file itself
	asked := t.ask(req)
	seen := heads{}
	client := &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		t.read(&seen, next.Response)
		next.Header.Del("Referer")
		if len(via) > maxRedirects {
			return final{fmt.Errorf("more than %d redirects", maxRedirects)}
		}
		if next.URL.Scheme == "http" && via[len(via)-1].URL.Scheme == "https" {
			return final{fmt.Errorf("the server redirects from https to http (%s)", withoutQuery(next.URL))}
		}
		if err := t.mayRedirect(next.URL); err != nil {
			return final{err}
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		return hopeless(explain(bare(err)))
	}
	defer resp.Body.Close()
	t.read(&seen, resp)
	seen.etag = resp.Header.Get("ETag")
	idle.Reset(t.options.IdleTimeout)
	if err := t.status(resp, asked); err != nil {
		return err
	}
	changed := t.seen.sha256 != "" && seen.sha256 != "" && t.seen.sha256 != seen.sha256
	t.seen = seen
	if err := t.place(resp, asked, changed); err != nil {
		return err
	}
	if err := w.from(t.at.Bytes); err != nil {
		return err
	}
	return explain(t.copy(w, resp.Body, func() { idle.Reset(t.options.IdleTimeout) }))
}

// ask adds the headers of a conditional or a range request, and returns the
// first byte requested.
func (t *transfer) ask(req *http.Request) int64 {
	if t.etag != "" {
		req.Header.Set("If-None-Match", t.etag)
		return 0
	}
	from := t.at.Bytes
	if from == 0 || t.at.Validator == "" && t.hash == "" {
		return 0
	}
	if from == t.at.Total {
		from-- // a range must not be empty
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	if t.at.Validator != "" {
		req.Header.Set("If-Range", t.at.Validator)
	}
	return from
}

// status checks the status code of a response.
func (t *transfer) status(resp *http.Response, asked int64) error {
	code := resp.StatusCode
	answered := fmt.Errorf("the server answered %s", strings.TrimSpace(resp.Status))
	switch {
	case code == http.StatusOK, code == http.StatusPartialContent && asked > 0:
		if e := resp.Header.Get("Content-Encoding"); e != "" && e != "identity" {
			return final{fmt.Errorf("the server sent the file compressed (%s), which was not requested", e)}
		}
		// Sent by networks that require a login first: keep the partial file.
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") && path.Ext(t.source) != ".md" {
			return final{errWebPage}
		}
		return nil
	case code == http.StatusNotModified && t.etag != "":
		return errNotModified
	case code == http.StatusRequestedRangeNotSatisfiable:
		t.at.Bytes = 0
		return answered
	case code == http.StatusNotFound, code == http.StatusGone:
		switch resp.Header.Get("X-Error-Code") {
		case "RepoNotFound":
			return gone{fmt.Errorf("%s has no such model", t.base)}
		case "RevisionNotFound":
			return gone{fmt.Errorf("the model has no revision %s", t.revision)}
		}
		return errNotFound
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return final{fmt.Errorf("%w: the model does not exist or is not public", answered)}
	case code == http.StatusTooManyRequests, code >= 500, code == http.StatusRequestTimeout, code == http.StatusTooEarly:
		t.wait = retryAfter(resp.Header.Get("Retry-After"), time.Now())
		if t.wait > maxRetryAfter {
			return final{fmt.Errorf("%w: retry in %v", answered, t.wait.Round(time.Second))}
		}
		return answered
	}
	return final{answered}
}

// place returns the offset of the response's body in the file and sets the
// length of the file. changed reports that the hub's hash differs from the
// earlier one.
func (t *transfer) place(resp *http.Response, asked int64, changed bool) error {
	validator := ""
	if e := resp.Header.Get("ETag"); strings.HasPrefix(e, `"`) {
		validator = e
	} else if e == "" {
		validator = resp.Header.Get("Last-Modified")
	}
	total := resp.ContentLength
	if resp.StatusCode == http.StatusPartialContent {
		var first, last int64
		_, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &total)
		changed = changed || t.at.Validator != "" && validator != "" && validator != t.at.Validator
		if err != nil || first != asked || t.at.Total >= 0 && total != t.at.Total || changed {
			t.at.Bytes = 0
			return errors.New("the server sent another part of the file than requested")
		}
		t.at.Bytes = asked
	} else {
		t.at.Bytes = 0
	}
	if t.hash != "" && total >= 0 && total != t.bytes {
		return mismatch{fmt.Errorf("the server has %d bytes, want %d", total, t.bytes)}
	}
	if limit := t.limit(); total > limit {
		return final{fmt.Errorf("%d bytes: want at most %d", total, limit)}
	}
	t.at.Total, t.at.Validator = total, validator
	return nil
}

// limit is the maximum size of the file in bytes.
func (t *transfer) limit() int64 {
	if ext := path.Ext(t.source); ext == ".onnx" || ext == ".safetensors" {
		return maxWeights
	}
	return maxText
}

// copy writes the body to the file.
func (t *transfer) copy(w *writer, body io.Reader, alive func()) error {
	limit := t.at.Total
	if limit < 0 {
		limit = t.limit()
	}
	buffer := make([]byte, 128<<10)
	saved := t.at.Bytes
	t.tell()
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			alive()
			if t.at.Bytes+int64(n) > limit {
				return mismatch{fmt.Errorf("the server sends more than %d bytes", limit)}
			}
			if _, err := w.Write(buffer[:n]); err != nil {
				return err
			}
			t.at.Bytes += int64(n)
			t.tell()
			if t.at.Bytes-saved >= t.options.tuning.checkpoint {
				saved = t.at.Bytes
				if err := t.keep(w); err != nil {
					return final{err}
				}
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return bare(err)
		}
	}
	if t.at.Total >= 0 && t.at.Bytes != t.at.Total {
		return fmt.Errorf("%w: %d of %d bytes", io.ErrUnexpectedEOF, t.at.Bytes, t.at.Total)
	}
	return nil
}

func (t *transfer) tell() {
	if t.options.Progress != nil && (t.at.Bytes != t.loaded || t.at.Bytes == 0) {
		t.loaded = t.at.Bytes
		t.options.Progress(t.path, t.at.Bytes, t.at.Total)
	}
}

// accept verifies a complete file and renames it.
func (t *transfer) accept(w *writer) (*File, error) {
	if w.err = w.file.Sync(); w.err != nil {
		return nil, w.err
	}
	if w.err = w.file.Close(); w.err != nil {
		return nil, w.err
	}
	reopen := func(err error) (*File, error) {
		if w.file, w.err = t.options.tuning.create(t.part()); w.err != nil {
			return nil, w.err
		}
		return nil, err
	}
	hash, n, err := hashFile(t.part())
	if err != nil {
		return reopen(final{err})
	}
	f := &File{Path: t.path, Bytes: n, SHA256: hash}
	for _, v := range []struct{ by, want string }{{"hub", t.seen.sha256}, {"known", t.hash}} {
		if v.want == "" {
			continue
		}
		if v.want != hash {
			return reopen(mismatch{fmt.Errorf("got SHA-256 %s, want %s", hash, v.want)})
		}
		f.Verified = v.by
	}
	if f.Verified == "" && t.seen.blob != "" {
		blob, err := gitBlob(t.part(), n)
		if err != nil {
			return reopen(final{err})
		}
		if blob != t.seen.blob {
			return reopen(mismatch{fmt.Errorf("got git hash %s, want %s", blob, t.seen.blob)})
		}
		f.Verified = "hub"
	}
	if err := plausible(t.part(), t.source, n); err != nil {
		return reopen(final{err})
	}
	if err := os.Rename(t.part(), t.local(t.path)); err != nil {
		return reopen(final{err})
	}
	return f, nil
}

// plausible refuses what is clearly not the file: a proxy's login page, or a
// Git LFS pointer.
func plausible(name, source string, bytesTotal int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, min(bytesTotal, 256))
	if _, err := io.ReadFull(f, head); err != nil {
		return err
	}
	switch ext := path.Ext(source); {
	case ext == ".md":
	case bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/")):
		return errors.New("the server sent a Git LFS pointer instead of the file")
	case bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("<")):
		return errWebPage
	case bytesTotal == 0:
		return errors.New("the server sent an empty file")
	case ext == ".json":
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			return errors.New("the server sent something that is not JSON")
		}
	}
	return nil
}

// gitBlob is git's hash of a file.
func gitBlob(name string, n int64) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", n)
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// read reads what the hub says about the file, in a response or in a redirect.
// Headers of other hosts are ignored: a store that the hub redirects to has
// ETags of its own.
func (t *transfer) read(seen *heads, resp *http.Response) {
	if resp == nil || resp.Request == nil {
		return
	}
	base, err := url.Parse(t.base)
	if err != nil || base.Host != resp.Request.URL.Host || base.Scheme != resp.Request.URL.Scheme {
		return
	}
	commit := resp.Header.Get("X-Repo-Commit")
	if commitPattern.MatchString(commit) {
		seen.commit = commit
	}
	names := []string{"X-Linked-Etag", "ETag"}
	if resp.StatusCode >= 300 {
		names = names[:1] // the ETag belongs to the redirect
	}
	for _, name := range names {
		tag := strings.Trim(strings.TrimPrefix(resp.Header.Get(name), "W/"), `"`)
		switch {
		case len(tag) == 64 && isHex(tag):
			if seen.sha256 == "" {
				seen.sha256 = tag
			}
		case len(tag) == 40 && isHex(tag) && commit != "":
			seen.blob = tag
		}
	}
}

func isHex(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

var transport = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	return t
}()

// bare removes the address that net/http adds to an error: after a redirect it
// may contain a signature.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// hopeless marks connection errors that a retry would not fix.
func hopeless(err error) error {
	var dns *net.DNSError
	if errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, &dns) && dns.IsNotFound || errors.Is(err, fs.ErrPermission) {
		return final{err}
	}
	return err
}

// retryAfter parses a number of seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
