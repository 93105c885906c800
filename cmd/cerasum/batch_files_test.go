package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
)

// TestBatchWritesOverNoCorpus names a corpus, by itself and by a link, where a
// run would write or remove a file.
func TestBatchWritesOverNoCorpus(t *testing.T) {
	data := batchLines(3)
	dir := t.TempDir()
	for _, name := range []string{"c.jsonl", "o.part", "o.progress", "o.bad.jsonl", "o.lock"} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	corpus, link := filepath.Join(dir, "c.jsonl"), filepath.Join(dir, "link")
	if err := os.Symlink(corpus, link); err != nil && runtime.GOOS == "windows" {
		t.Skip(err) // there it takes a right that few have
	} else if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "o")
	for _, args := range [][]string{
		{corpus, "--output", corpus}, {corpus, "--output", link}, {link, "--output", corpus},
		{corpus, "--bad", corpus}, {corpus, "--bad", link}, {corpus, "--output", out, "--bad", corpus},
		{out + ".part", "--output", out}, {out + ".progress", "--output", out}, {out + ".lock", "--output", out},
		{out + ".bad.jsonl", "--output", out}, {corpus, out + ".part", "--output", out, "--restart"},
	} {
		cli(t, strings.NewReader(""), append([]string{"batch"}, args...)...).want(t, exitUsage, "is an input and would be overwritten")
	}
	for _, args := range [][]string{{"--bad", out}, {"--bad", out + ".part"}, {"--bad", filepath.Join(dir, ".", "o.progress")}} {
		cli(t, strings.NewReader(""), append([]string{"batch", corpus, "--output", out}, args...)...).want(t, exitUsage, "already used by --output")
	}
	cli(t, strings.NewReader(""), "batch", corpus, "--bad", "-").want(t, exitUsage, "--bad -")
	cli(t, strings.NewReader(""), "batch", corpus, "--bad", dir).want(t, exitFailed, "is a folder")
	cli(t, strings.NewReader(""), "batch", dir, "--output", out).want(t, exitUsage, "is an input and would be overwritten") // o.bad.jsonl
	cli(t, strings.NewReader(""), "batch", t.TempDir(), "--output", out).want(t, exitUsage, "is a folder without corpora")
	for _, name := range []string{"c.jsonl", "o.part", "o.progress", "o.bad.jsonl", "o.lock"} {
		if !bytes.Equal(mustRead(t, filepath.Join(dir, name)), data) {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestBatchBadLinesToADevice neither removes nor cuts off what is no file.
func TestBatchBadLinesToADevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	corpus, out := file(t, "c.jsonl", batchLines(60)), filepath.Join(t.TempDir(), "o")
	for range 2 {
		cli(t, strings.NewReader(""), "batch", corpus, "--output", out, "--bad", os.DevNull, "--budget", "1s").want(t, exitFailed, ":50: ")
	}
	if after, err := os.Stat(os.DevNull); err != nil || !os.SameFile(before, after) {
		t.Errorf("%s is another one: %v", os.DevNull, err)
	}
	if n := len(summaryIDs(t, mustRead(t, out))); n != 59 {
		t.Errorf("%d summaries, want 59", n)
	}
}

func TestBatchOnceAtATime(t *testing.T) {
	corpus, out := file(t, "c.jsonl", batchLines(3)), filepath.Join(t.TempDir(), "o")
	other, err := lock.Try(out + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out).want(t, exitFailed, "another run is writing "+out)
	other.Release()
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out).want(t, exitOK, "3 clusters summarized in ")
	if left, err := filepath.Glob(out + "?*"); err != nil || left != nil {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestBatchKilledAtTheEnd leaves what a kill would between the steps of the
// beginning and of the end.
func TestBatchKilledAtTheEnd(t *testing.T) {
	corpus := file(t, "c.jsonl", batchLines(60))
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	args := []string{"batch", corpus, "--output", out, "--budget", "1s"}
	note := stoppedNote(t, args, out)
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// At the beginning: the note is there and no summaries are, or the other way
	// about; and a note that was being written.
	write(out+".progress.tmp", []byte(`{"run": {"cer`))
	write(out+".part", nil)
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "59 clusters summarized; 1 line failed")
	want := mustRead(t, out)
	bad := mustRead(t, out+".bad.jsonl")
	write(out+".progress", note(batchPlace{}))
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "59 clusters summarized")
	// At the end: the summaries have their name, and the note is still there.
	end := note(batchPlace{File: 1, Done: 59, Bad: 1, SummaryBytes: int64(len(want)), BadBytes: int64(len(bad))})
	write(out+".progress", end)
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "the earlier run had finished: 60 clusters")
	// Before that: they do not have it yet.
	write(out+".progress", end)
	if err := os.Rename(out, out+".part"); err != nil {
		t.Fatal(err)
	}
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "after 60 clusters", "59 clusters summarized; 1 line")
	if !bytes.Equal(mustRead(t, out), want) || !bytes.Equal(mustRead(t, out+".bad.jsonl"), bad) {
		t.Error("the summaries or the bad lines are others")
	}
	if left, err := filepath.Glob(out + ".*"); err != nil || len(left) != 1 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	// A progress file that records more than was written.
	write(out+".progress", note(batchPlace{Line: 5, Sum: strings.Repeat("00", 32), Done: 5, SummaryBytes: 1000}))
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "want 5 lines in 1000 bytes, got no file", "--restart")
	write(out+".progress", note(batchPlace{Line: 5, Sum: strings.Repeat("00", 32), Done: 5}))
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "want 5 lines in 0 bytes, got no file", "--restart")
	write(out+".progress", note(batchPlace{Line: 5, Sum: "x"}))
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "want a checksum", "--restart")
	// The corpus is another one, with the same length and ends.
	write(out+".progress", note(batchPlace{Line: 5, Sum: strings.Repeat("00", 32)}))
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "the corpus has changed", "--restart")
	cli(t, strings.NewReader(""), append(args, "--restart")...).want(t, exitFailed, "59 clusters summarized")
	if !bytes.Equal(mustRead(t, out), want) {
		t.Error("the summaries are others")
	}
}

// TestBatchEditedNote edits each number of a progress file: no edit is accepted.
func TestBatchEditedNote(t *testing.T) {
	corpus := file(t, "c.jsonl", batchLines(60))
	out := filepath.Join(t.TempDir(), "o")
	args := []string{"batch", corpus, "--output", out, "--budget", "1s", "--workers", "1"}
	cli(t, strings.NewReader(""), args...).want(t, exitFailed, "59 clusters summarized")
	summaries, bad := mustRead(t, out), mustRead(t, out+".bad.jsonl")
	note := stoppedNote(t, append(args, "--restart"), out)
	at := batchPlace{File: 1, Done: 59, Bad: 1, SummaryBytes: int64(len(summaries)), BadBytes: int64(len(bad))}
	first := bytes.IndexByte(summaries, '\n') + 1
	for name, raw := range map[string][]byte{
		"file":     bytes.Replace(note(batchPlace{Line: 1, Done: 1, SummaryBytes: int64(first)}), []byte(`"file":0`), []byte(`"file":7`), 1),
		"negative": bytes.Replace(note(at), []byte(`"file":1`), []byte(`"file":-1`), 1),
		"done":     bytes.Replace(note(at), []byte(`"done":59`), []byte(`"done":9999`), 1),
		"bytes":    bytes.Replace(note(at), fmt.Appendf(nil, `"summary_bytes":%d`, len(summaries)), []byte(`"summary_bytes":10`), 1),
		// As a program might write it that knows the checksum.
		"short": note(batchPlace{File: 1, Done: 59, Bad: 1, SummaryBytes: int64(first), BadBytes: int64(len(bad))}),
		"cut":   note(batchPlace{File: 1, Done: 59, Bad: 1, SummaryBytes: int64(len(summaries)) - 1, BadBytes: int64(len(bad))}),
	} {
		t.Run(name, func(t *testing.T) {
			for path, data := range map[string][]byte{out + ".progress": raw, out + ".part": summaries, out + ".bad.jsonl": bad} {
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			os.Remove(out)
			cli(t, strings.NewReader(""), args...).want(t, exitFailed, "--restart")
			if _, err := os.Stat(out); err == nil {
				t.Error("it was accepted")
			}
			if !bytes.Equal(mustRead(t, out+".part"), summaries) || !bytes.Equal(mustRead(t, out+".bad.jsonl"), bad) {
				t.Error("what was written is changed")
			}
		})
	}
}

// TestBatchFollowsNoLinks places links where a run writes its own files.
func TestBatchFollowsNoLinks(t *testing.T) {
	corpus := file(t, "c.jsonl", batchLines(60))
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	args := []string{"batch", corpus, "--output", out, "--budget", "1s"}
	note := stoppedNote(t, args, out)
	for _, ending := range []string{".part", ".progress.tmp", ".bad.jsonl", ".lock"} {
		for _, resumed := range []bool{false, true} {
			victim := file(t, "victim", []byte("precious\n"))
			if err := os.Symlink(victim, out+ending); err != nil && runtime.GOOS == "windows" {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			run := args
			if !resumed {
				run = append(slices.Clone(args), "--restart")
			} else {
				place := batchPlace{}
				switch ending {
				case ".part":
					place = batchPlace{Done: 1, SummaryBytes: 9}
				case ".bad.jsonl":
					place = batchPlace{Bad: 1, BadBytes: 9}
				}
				if err := os.WriteFile(out+".progress", note(place), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cli(t, strings.NewReader(""), run...)
			if got := string(mustRead(t, victim)); got != "precious\n" {
				t.Errorf("%s, resumed %v: the file behind the link has %.100q", ending, resumed, got)
			}
			for _, path := range []string{out, out + ".part", out + ".progress", out + ".progress.tmp", out + ".bad.jsonl", out + ".lock"} {
				os.Remove(path)
			}
		}
	}
}

// stoppedNote gives the notes of a run by its place; it stops one to learn the
// rest.
func stoppedNote(t *testing.T, args []string, out string) func(batchPlace) []byte {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := run(ctx, args, strings.NewReader(""), &bytes.Buffer{}, cancelling(cancel))
	var noted notedPlace
	if err := json.Unmarshal(mustRead(t, out+".progress"), &noted); code != exitInterrupted || err != nil {
		t.Fatalf("exit code %d, %v", code, err)
	}
	for _, name := range []string{out + ".progress", out + ".part", out + ".bad.jsonl"} {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return func(at batchPlace) []byte {
		raw, err := encodeNote(noted.Head, at)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
}

// cancelling cancels the run at the first message: here the first bad line.
type cancelling func()

func (c cancelling) Write(p []byte) (int, error) {
	c()
	return len(p), nil
}

// TestBatchHostileLines lets each kind of bad line be one, and the good ones
// between them be summarized.
func TestBatchHostileLines(t *testing.T) {
	good := `{"documents": ["The river rose on Monday. Nobody was hurt."]}`
	deep := `{"documents": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`
	corpus := strings.Join([]string{
		"\xef\xbb\xbf" + good, // a BOM
		good + "\r",           // CRLF
		"\x00\x00",            // NUL bytes
		`{"documents": ["a\u0000b."]}`,
		"\xff\xfe{\x00", // UTF-16
		deep,
		`{"references": ` + deep[14:len(deep)-1] + `, "documents": ["One ferry."]}`,
		`{"id": ` + strings.Repeat("1", 100_000) + `, "documents": ["One ferry."]}`,
		`{"` + strings.Repeat("x", 100_000) + `": 1}`,
		`{"documents": ["` + strings.Repeat("One ferry. ", 100_000) + `"]}`, // 1.1 MB
		`{"documents": []}`,
		`{"documents": [""]}`,
		`{"documents": ["One ferry."]} {}`,
		"   ",
		good, // no end of line
	}, "\n")
	bad := filepath.Join(t.TempDir(), "bad")
	a := cli(t, strings.NewReader(corpus), "batch", "-", "--bad", bad, "--max-line", "1", "--encoder", "lexical").want(t, exitFailed,
		"-:3: invalid JSON", ":5: unreadable line: invalid UTF-8 at byte 1 (0xff)", ":6: invalid JSON: invalid character '[' exceeded max depth", ":7: invalid JSON", ":8: id: ", ":9: documents: missing", `ignored field "xxx`,
		":10: unreadable line: want at most 1 MiB", ":11: ", ":12: ", ":13: trailing data")
	if n := strings.Count(a.stdout, "\n"); n != 4 {
		t.Errorf("%d summaries, want 4", n)
	}
	if len(a.stderr) > 20_000 {
		t.Errorf("got %d bytes of messages", len(a.stderr))
	}
	lines := bytes.Split(bytes.TrimSuffix(mustRead(t, bad), []byte("\n")), []byte("\n"))
	for _, line := range lines {
		var b struct {
			File, Error string
			Line        int
			Raw         *string
		}
		if err := json.Unmarshal(line, &b); err != nil || b.File != "-" || b.Error == "" || b.Line == 0 || len(b.Error) > 500 {
			t.Errorf("%.500s: %v", line, err)
		}
		if unreadable := b.Line == 5 || b.Line == 10; (b.Raw == nil) != unreadable {
			t.Errorf("line %d: raw %v", b.Line, b.Raw != nil)
		}
	}
	if len(lines) != 10 {
		t.Errorf("%d bad lines, want 10", len(lines))
	}
	cli(t, strings.NewReader(""), "batch", "-").want(t, exitOK)
	empty, out := file(t, "empty.jsonl", nil), filepath.Join(t.TempDir(), "out")
	cli(t, strings.NewReader(""), "batch", empty, "--output", out).want(t, exitOK, "0 clusters summarized")
	if data := mustRead(t, out); len(data) != 0 {
		t.Errorf("%q", data)
	}
	for _, flags := range [][]string{{"--workers", "1025"}, {"--max-line", "0"}, {"--max-line", "513"}, {"--encoder", "lexical", "--dense-weight", "1"}} {
		cli(t, strings.NewReader(""), append([]string{"batch", "-"}, flags...)...).want(t, exitUsage, flags[len(flags)-2])
	}
}
