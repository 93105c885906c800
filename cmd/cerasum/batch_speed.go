package main

import (
	"fmt"
	"os"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
)

// batchSpeed reports the progress, the rate and the estimated time left of a run.
type batchSpeed struct {
	app *app
	job *batchJob
	// sizes of the corpora in bytes, and their sum; 0 if unknown.
	sizes []int64
	total int64

	begun  time.Time
	from   float64 // share of the corpora done at that time
	doneAt int     // lines done at that time
	logged time.Time
	plain  bool // not a terminal: lines cannot be overwritten
}

// logEvery is the interval between lines of a log.
const logEvery = 30 * time.Second

func newBatchSpeed(a *app, corpora []ingest.Stream, job *batchJob) *batchSpeed {
	now := time.Now()
	s := &batchSpeed{app: a, job: job, begun: now, logged: now, doneAt: job.lines(), plain: !a.err.Interactive}
	for _, c := range corpora {
		info, err := os.Stat(c.Name)
		if err != nil || !info.Mode().IsRegular() {
			return s
		}
		s.sizes = append(s.sizes, info.Size())
		s.total += info.Size()
	}
	return s
}

// lines returns the number of lines processed.
func (j *batchJob) lines() int { return j.at.Done + j.at.Bad }

// share returns the share of the corpora that has been read, in 0..1; here is that of
// the current one.
func (s *batchSpeed) share(file int, here float64) float64 {
	if s.total == 0 || len(s.sizes) <= file {
		return 0
	}
	before := int64(0)
	for _, size := range s.sizes[:file] {
		before += size
	}
	return min(1, (float64(before)+here*float64(s.sizes[file]))/float64(s.total))
}

// show reports progress after a line, at intervals.
func (s *batchSpeed) show(file int, here func() float64) {
	if !s.app.progress.on {
		return
	}
	lines := s.job.lines()
	if lines == s.doneAt+1 {
		// The time spent on seeking does not count towards the rate.
		s.begun, s.from = time.Now(), s.share(file, here())
		return
	}
	if s.plain && time.Since(s.logged) < logEvery {
		return
	}
	text := s.text(s.share(file, here()))
	if !s.plain {
		s.app.progress.show(text, 0, 0)
		return
	}
	s.logged = time.Now()
	fmt.Fprintf(s.app.stderr, "cerasum: %s\n", text)
}

// Sorting reports that rows are sorted into groups.
func (s *batchSpeed) Sorting(rows int, end bool) {
	switch {
	case !s.app.progress.on:
	case !s.plain:
		s.app.progress.show("sorting "+plural(rows, "row"), 0, 0)
	case end || time.Since(s.logged) >= logEvery:
		s.logged = time.Now()
		done := "sorting: "
		if end {
			done = "sorted "
		}
		fmt.Fprintf(s.app.stderr, "cerasum: %s%s\n", done, plural(rows, "row"))
	}
}

func (s *batchSpeed) text(share float64) string {
	text := clusters(s.job.lines()) + " done" + s.rate()
	if share > s.from {
		text += fmt.Sprintf(", %.0f %%", 100*share)
		passed := time.Since(s.begun)
		left := time.Duration(float64(passed) * (1 - share) / (share - s.from))
		if passed > time.Second {
			text += ", " + span(left) + " left"
		}
	}
	return text
}

func (s *batchSpeed) rate() string {
	passed := time.Since(s.begun).Seconds()
	lines := s.job.lines() - s.doneAt
	if passed < 0.5 || lines < 2 {
		return ""
	}
	if rate := float64(lines) / passed; rate < 10 {
		return fmt.Sprintf(", %.1f a second", rate)
	} else {
		return fmt.Sprintf(", %.0f a second", rate)
	}
}

// end reports the result of the run.
func (s *batchSpeed) end() {
	if s.app.quiet || s.job.name == "" && !s.app.progress.on {
		return
	}
	s.app.progress.clear()
	bad := ""
	if s.job.at.Bad > 0 {
		bad = "; " + plural(s.job.at.Bad, "line") + " failed"
	}
	fmt.Fprintf(s.app.stderr, "cerasum: %s summarized%s in %s%s\n", clusters(s.job.at.Done), bad, span(time.Since(s.begun)), s.rate())
	fmt.Fprintf(s.app.stderr, "cerasum: %s\n", &s.job.at.Counts)
}

// span formats a duration for people: 4.2 s, 3 min 20 s, 7 h 5 min.
func span(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}
