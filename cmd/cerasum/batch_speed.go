package main

import (
	"fmt"
	"os"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
)

// batchSpeed tells how far a run is, how fast, and how long the rest will take.
type batchSpeed struct {
	app *app
	job *batchJob
	// sizes of the corpora in bytes, and their sum; 0 where one is not known.
	sizes []int64
	total int64

	begun  time.Time
	from   float64 // share of the corpora that was done then
	doneAt int     // lines that were done then
	logged time.Time
	plain  bool // no terminal that could be overwritten
}

// logEvery is how often a log gets a line.
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

// lines counts those that are done.
func (j *batchJob) lines() int { return j.at.Done + j.at.Bad }

// share is how much of the corpora is done, 0 to 1: offset says how far the
// decompressed text of one of them is.
func (s *batchSpeed) share(file int, r ingest.Reader, offset int64) float64 {
	if s.total == 0 || len(s.sizes) <= file {
		return 0
	}
	before := int64(0)
	for _, size := range s.sizes[:file] {
		before += size
	}
	taken, given := r.Counts()
	if given == 0 {
		return 0
	}
	// What is read ahead is compressed as well as the rest.
	here := float64(offset) * float64(taken) / float64(given)
	return min(1, (float64(before)+here)/float64(s.total))
}

// show tells it, now and then, after a line.
func (s *batchSpeed) show(file int, r ingest.Reader, offset int64) {
	if !s.app.progress.on {
		return
	}
	lines := s.job.lines()
	if lines == s.doneAt+1 {
		// The time that it took to find the place is not that of summaries.
		s.begun, s.from = time.Now(), s.share(file, r, offset)
		return
	}
	if s.plain && time.Since(s.logged) < logEvery {
		return
	}
	text := s.text(s.share(file, r, offset))
	if !s.plain {
		s.app.progress.show(text, 0, 0)
		return
	}
	s.logged = time.Now()
	fmt.Fprintf(s.app.stderr, "cerasum: %s\n", text)
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

// end tells what became of the run.
func (s *batchSpeed) end() {
	if s.app.quiet || s.job.name == "" && !s.app.progress.on {
		return
	}
	s.app.progress.clear()
	bad := ""
	if s.job.at.Bad > 0 {
		bad = fmt.Sprintf("; %d lines could not be", s.job.at.Bad)
	}
	fmt.Fprintf(s.app.stderr, "cerasum: %s summarized%s in %s%s\n", clusters(s.job.at.Done), bad, span(time.Since(s.begun)), s.rate())
}

// span writes a time as people say it: 4.2 s, 3 min 20 s, 7 h 5 min.
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
