package protocol

import "time"

// stages tracks the progress of one summary: it measures the time of each stage
// and forwards progress at limited intervals.
type stages struct {
	now  func() time.Time
	id   int
	post func(message any)

	stage       string
	since, last time.Time
	posted      bool
	spent       map[string]time.Duration
}

// newStages starts the clock with the first stage. A nil clock means time.Now;
// a nil post drops the messages.
func newStages(now func() time.Time, id int, first string, post func(message any)) *stages {
	if now == nil {
		now = time.Now
	}
	return &stages{now: now, id: id, post: post, stage: first, since: now(), spent: map[string]time.Duration{}}
}

// report is the core's Options.Progress. The time since the last report counts
// for the new stage if a part of it is already done, else for the previous
// stage.
func (s *stages) report(stage string, done, total int) {
	t := s.now()
	if done > 0 {
		s.stage = stage
	}
	s.spent[s.stage] += t.Sub(s.since)
	s.stage, s.since = stage, t
	if s.post == nil || s.posted && t.Sub(s.last) < progressEvery {
		return
	}
	s.posted, s.last = true, t
	s.post(progressReply(s.id, stage, done, total))
}

// finish adds the remaining time to the last stage.
func (s *stages) finish() stageTimes {
	s.spent[s.stage] += s.now().Sub(s.since)
	return stageTimes{
		split:     milliseconds(s.spent["split"]),
		encode:    milliseconds(s.spent["encode"]),
		selection: milliseconds(s.spent["select"]),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
