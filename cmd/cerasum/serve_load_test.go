package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// loadText makes a text of n sentences.
func loadText(seed uint64, n int) string {
	random := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("river mayor bridge flood storm ferry harbour council budget school hospital strike train station fire village road court trial election vote party leader market price bank company worker union factory police officer witness report minister law tax plan water energy")
	verbs := strings.Fields("closed opened moved reached left said showed lost won raised refused found")
	var b strings.Builder
	for range n {
		w := func() string { return words[random.IntN(len(words))] }
		fmt.Fprintf(&b, "The %s of the %s %s the %s near the %s on day %d of the %s. ", w(), w(), verbs[random.IntN(len(verbs))], w(), w(), random.IntN(30)+1, w())
	}
	return b.String()
}

// loadBody is a request of so many documents.
func loadBody(seed uint64, documents, sentences int) []byte {
	texts := make([]string, documents)
	for i := range texts {
		texts[i] = loadText(seed*1000+uint64(i), sentences)
	}
	body, err := json.Marshal(map[string]any{"documents": texts, "budget": map[string]int{"words": 100}})
	if err != nil {
		panic(err)
	}
	return body
}

// loadResult is what the clients of a load saw.
type loadResult struct {
	mu       sync.Mutex
	times    []time.Duration // of well-behaved requests
	statuses map[string]int  // by kind of client and status
}

func (r *loadResult) add(kind string, status int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[fmt.Sprintf("%s %d", kind, status)]++
	if kind == "good" && status == 200 {
		r.times = append(r.times, took)
	}
}

func (r *loadResult) quantile(q float64) time.Duration {
	if len(r.times) == 0 {
		return 0
	}
	slices.Sort(r.times)
	return r.times[min(len(r.times)-1, int(q*float64(len(r.times))))].Round(100 * time.Microsecond)
}

// hostile are requests that must be refused, or that never end. The answer is 0 if
// there was none.
var hostile = []struct {
	kind    string
	allowed []int
	send    func(s *serverRun, client *http.Client) int
}{
	{"malformed", []int{400}, func(s *serverRun, client *http.Client) int {
		return post(s, client, strings.NewReader(`{"documents": ["a text", {"text": `))
	}},
	{"huge", []int{413}, func(s *serverRun, client *http.Client) int {
		return post(s, client, io.LimitReader(endless{}, 12<<20))
	}},
	{"too many", []int{422}, func(s *serverRun, client *http.Client) int {
		return post(s, client, strings.NewReader(`{"documents": ["a"`+strings.Repeat(`,"a"`, 2000)+`]}`))
	}},
	{"cut off", []int{0}, func(s *serverRun, _ *http.Client) int { return partly(s, 4<<20, 0) }},
	{"slow", []int{0, 400}, func(s *serverRun, _ *http.Client) int { return partly(s, 100, 2*time.Second) }},
}

// endless is a document that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func post(s *serverRun, client *http.Client, body io.Reader) int {
	resp, err := client.Post(s.url+"/v1/summarize", "application/json", body)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// partly sends the first n bytes of a longer body, waits and leaves.
func partly(s *serverRun, n int, wait time.Duration) int {
	conn, err := net.Dial("tcp", "localhost:"+s.port)
	if err != nil {
		return 0
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/summarize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", 2*n)
	_, _ = io.CopyN(conn, endless{}, int64(n))
	time.Sleep(wait)
	return 0
}

// load lets clients send requests for a time: a fifth of them hostile ones, the
// others of mixed sizes, each as soon as the last is answered.
func load(s *serverRun, clients int, lasts time.Duration) *loadResult {
	result := &loadResult{statuses: map[string]int{}}
	sizes := [][]byte{loadBody(1, 2, 10), loadBody(2, 4, 20), loadBody(3, 10, 40), loadBody(4, 3, 15), loadBody(5, 20, 40)}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	end := time.Now().Add(lasts)
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				begun := time.Now()
				if i%5 == 4 {
					h := hostile[n/5%len(hostile)]
					result.add(h.kind, h.send(s, client), 0)
					time.Sleep(20 * time.Millisecond)
					continue
				}
				status := post(s, client, bytes.NewReader(sizes[n%len(sizes)]))
				result.add("good", status, time.Since(begun))
			}
		})
	}
	running.Wait()
	return result
}

// TestServeLoad: nobody who behaves is refused, and the others get what they ask
// for. CERASUM_LOAD=5m runs it for so long and prints what docs/edge.md quotes.
func TestServeLoad(t *testing.T) {
	clients, lasts := 64, 20*time.Second
	if testing.Short() {
		clients, lasts = 10, time.Second
	}
	measured := os.Getenv("CERASUM_LOAD")
	if measured != "" {
		var err error
		if lasts, err = time.ParseDuration(measured); err != nil {
			t.Fatal(err)
		}
	}
	s := serveAPI(t, "--log", "off")
	begun := time.Now()
	first := load(s, clients, lasts/5)
	early := heapInUse(t, s)
	rest := load(s, clients, lasts-lasts/5)
	passed := time.Since(begun)
	for _, r := range []*loadResult{first, rest} {
		for what, n := range r.statuses {
			kind, code, _ := cutLast(what)
			allowed := []int{200}
			for _, h := range hostile {
				if h.kind == kind {
					allowed = h.allowed
				}
			}
			if !slices.Contains(allowed, code) {
				t.Errorf("%d × %s, want %v", n, what, allowed)
			}
		}
	}
	late := heapInUse(t, s)
	// The clients are in this process, too.
	if limit := early + 64<<20; late > limit {
		t.Errorf("%d MB in use at the end, %d MB after a fifth of the time", late>>20, early>>20)
	}
	for _, name := range []string{"cerasum_http_running", "cerasum_http_waiting", "cerasum_http_body_bytes"} {
		for deadline := time.Now().Add(15 * time.Second); metric(t, s, name) != name+" 0"; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("left behind: %s", metric(t, s, name))
				break
			}
		}
	}
	if measured != "" {
		t.Logf("%d clients, %v: %.0f answers a second, p50 %v, p99 %v; resident %s, heap %d MB after a fifth of the time and %d MB at the end; %v", clients, passed.Round(time.Second),
			float64(len(first.times)+len(rest.times))/passed.Seconds(), rest.quantile(.5), rest.quantile(.99), metric(t, s, "process_resident_memory_bytes"), early>>20, late>>20, rest.statuses)
		atHalf(t, s)
	}
}

// atHalf measures ten articles of 40 sentences: the capacity with two clients, and
// the times when half of that arrives at random moments.
func atHalf(t *testing.T, s *serverRun) {
	body := loadBody(7, 10, 40)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}
	result := &loadResult{statuses: map[string]int{}}
	const lasts = 20 * time.Second
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			for end := time.Now().Add(lasts); time.Now().Before(end); {
				begun := time.Now()
				result.add("good", post(s, client, bytes.NewReader(body)), time.Since(begun))
			}
		})
	}
	running.Wait()
	capacity := float64(len(result.times)) / lasts.Seconds()
	t.Logf("10 × 40 sentences, 2 clients: %.0f a second, p50 %v, p99 %v", capacity, result.quantile(.5), result.quantile(.99))
	result = &loadResult{statuses: map[string]int{}}
	for end := time.Now().Add(lasts); time.Now().Before(end); {
		time.Sleep(time.Duration(rand.ExpFloat64() / (capacity / 2) * float64(time.Second)))
		running.Go(func() {
			begun := time.Now()
			result.add("good", post(s, client, bytes.NewReader(body)), time.Since(begun))
		})
	}
	running.Wait()
	t.Logf("the same, half of that: %.0f a second, p50 %v, p99 %v", float64(len(result.times))/lasts.Seconds(), result.quantile(.5), result.quantile(.99))
	if limit := 150 * time.Millisecond; result.quantile(.99) > limit {
		t.Errorf("p99 at half of the capacity is %v, want at most %v on a machine that does nothing else", result.quantile(.99), limit)
	}
}

// TestServeHours sends the requests of five hours at half of the capacity, as fast as
// they are answered: ten articles of 40 sentences, other ones in each request, with
// ids, origins and traces of their own. The heap at the end must be that after the
// first minute. CERASUM_HOURS=10m sends as many of them as it can in that time
// (make load); otherwise it is a few seconds, and the heap is compared with that after
// a fifth of the time.
func TestServeHours(t *testing.T) {
	lasts, early := 2*time.Second, 400*time.Millisecond
	measured := os.Getenv("CERASUM_HOURS")
	if measured != "" {
		var err error
		if lasts, err = time.ParseDuration(measured); err != nil {
			t.Fatal(err)
		}
		early = min(time.Minute, lasts/5)
	} else if testing.Short() {
		t.Skip("a longer test: TestServeLoad covers the short form")
	}
	s := serveAPI(t, "--log", "off")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	// Bodies are made of a pool of texts: making new ones would take half of the time.
	texts := make([]string, 400)
	for i := range texts {
		texts[i] = loadText(uint64(i), 40)
	}
	var sent atomic.Uint64
	send := func(result *loadResult, until time.Time, most uint64) {
		var running sync.WaitGroup
		for range 2 {
			running.Go(func() {
				for time.Now().Before(until) {
					n := sent.Add(1)
					if n > most {
						return
					}
					random := rand.New(rand.NewPCG(n, 2))
					documents := make([]string, 10)
					for i := range documents {
						documents[i] = fmt.Sprintf("Report %d says so. %s", n, texts[random.IntN(len(texts))])
					}
					body, _ := json.Marshal(map[string]any{"documents": documents, "budget": map[string]int{"words": 100}})
					r, _ := http.NewRequest("POST", s.url+"/v1/summarize", bytes.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("X-Request-Id", strconv.FormatUint(n, 36))
					r.Header.Set("Origin", fmt.Sprintf("https://client-%d.example", n))
					r.Header.Set("traceparent", fmt.Sprintf("00-%032x-%016x-01", n, n))
					begun, status := time.Now(), 0
					if resp, err := client.Do(r); err == nil {
						_, _ = io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
						status = resp.StatusCode
					}
					result.add("good", status, time.Since(begun))
				}
			})
		}
		running.Wait()
	}
	begun := time.Now()
	first := &loadResult{statuses: map[string]int{}}
	send(first, begun.Add(early), math.MaxUint64)
	capacity := float64(len(first.times)) / time.Since(begun).Seconds()
	before := heapInUse(t, s)
	fiveHours := uint64(capacity / 2 * 5 * 3600)
	rest := &loadResult{statuses: map[string]int{}}
	send(rest, begun.Add(lasts), fiveHours)
	passed := time.Since(begun)
	after := heapInUse(t, s)
	answered := len(first.times) + len(rest.times)
	for _, r := range []*loadResult{first, rest} {
		if len(r.statuses) != 1 || r.statuses["good 200"] == 0 {
			t.Errorf("answers: %v", r.statuses)
		}
	}
	if slack := map[bool]int{true: 16 << 20, false: 64 << 20}[measured != ""]; after > before+slack {
		t.Errorf("heap %d MB at the end, %d MB after %v", after>>20, before>>20, early)
	}
	t.Logf("%d of the %d requests of five hours in %v: %.0f a second, p50 %v, p99 %v; heap %.1f MB after %v, %.1f MB at the end; resident %s", answered, fiveHours, passed.Round(time.Second),
		float64(answered)/passed.Seconds(), rest.quantile(.5), rest.quantile(.99), float64(before)/1e6, early, float64(after)/1e6, metric(t, s, "process_resident_memory_bytes"))
}

// heapInUse returns the bytes of the heap that hold something after a collection.
func heapInUse(t *testing.T, s *serverRun) int {
	t.Helper()
	runtime.GC()
	_, value, _ := strings.Cut(metric(t, s, "go_memstats_heap_inuse_bytes"), " ")
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

func cutLast(s string) (string, int, error) {
	i := strings.LastIndexByte(s, ' ')
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err
}
