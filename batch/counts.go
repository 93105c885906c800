package batch

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Stages of the work on a cluster.
const (
	Read    = "read"    // reading and parsing, and grouping records
	Analyse = "analyse" // splitting into sentences, and their sparse vectors
	Embed   = "embed"   // embeddings, with the wait for the encoder
	Select  = "select"  // centroid, search, report
	Write   = "write"   // the summary as JSON, and writing it
)

// Reasons for which a cluster is left out.
const (
	TooLong    = "too_long"   // a line, group or request above the maximum size
	Unreadable = "unreadable" // not UTF-8, or a row with another number of cells
	Malformed  = "malformed"  // not JSON, or a field is missing or has the wrong type
	NoText     = "no_text"    // no sentence in any document
	Invalid    = "invalid"    // an invalid option or value
	Limit      = "limit"      // more documents or sentences than the server allows
	TimeLimit  = "time"       // the time limit was exceeded
	Busy       = "busy"       // no room on the server
	Failed     = "failed"     // an internal error
)

// Counter describes a counter. "cerasum batch", the Beam pipeline and "cerasum
// serve --api" have the same ones.
type Counter struct {
	// Name and Unit; an empty unit means a number of things.
	Name, Unit, Help string
	// Label, if not empty, divides the counter; Values are all of its values.
	Label  string
	Values []string
}

// Counters lists all counters.
var Counters = []Counter{
	{Name: "clusters", Help: "Clusters summarized."},
	{Name: "sentences", Help: "Sentences of the summarized clusters."},
	{Name: "quoted", Help: "Sentences quoted in their summaries."},
	{Name: "left_out", Help: "Clusters not summarized, by reason.", Label: "reason",
		Values: []string{TooLong, Unreadable, Malformed, NoText, Invalid, Limit, TimeLimit, Busy, Failed}},
	{Name: "stage", Unit: "seconds", Help: "Time by stage of the work, of all workers together.", Label: "stage",
		Values: []string{Read, Analyse, Embed, Select, Write}},
}

// Counts are the values of [Counters] for one cluster or for many.
type Counts struct {
	Clusters  int64 `json:"clusters"`
	Sentences int64 `json:"sentences"`
	Quoted    int64 `json:"quoted"`
	// LeftOut is by reason, Seconds by stage.
	LeftOut map[string]int64   `json:"left_out,omitempty"`
	Seconds map[string]float64 `json:"stage_seconds,omitempty"`
	// Lap, if not nil, is called at the end of each stage.
	Lap func(stage string, begun, ended time.Time) `json:"-"`
}

// Time adds the time since a stage began, and returns the current time.
func (c *Counts) Time(stage string, begun time.Time) time.Time {
	now := time.Now()
	if c.Seconds == nil {
		c.Seconds = map[string]float64{}
	}
	c.Seconds[stage] += now.Sub(begun).Seconds()
	if c.Lap != nil {
		c.Lap(stage, begun, now)
	}
	return now
}

// LeaveOut counts a cluster that is not summarized.
func (c *Counts) LeaveOut(reason string) {
	if c.LeftOut == nil {
		c.LeftOut = map[string]int64{}
	}
	c.LeftOut[reason]++
}

// Unread counts a line that [Lines] could not read, and returns the reason.
func (c *Counts) Unread(err error) string {
	reason := reasonFor(err)
	c.LeaveOut(reason)
	return reason
}

// Summarized counts a summary.
func (c *Counts) Summarized(s *core.Summary) {
	c.Clusters++
	c.Quoted += int64(len(s.Sentences))
	for i := range s.Documents {
		c.Sentences += int64(s.Documents[i].Sentences)
	}
}

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	c.Clusters += d.Clusters
	c.Sentences += d.Sentences
	c.Quoted += d.Quoted
	if c.LeftOut == nil && d.LeftOut != nil {
		c.LeftOut = map[string]int64{}
	}
	for reason, n := range d.LeftOut {
		c.LeftOut[reason] += n
	}
	if c.Seconds == nil && d.Seconds != nil {
		c.Seconds = map[string]float64{}
	}
	for stage, n := range d.Seconds {
		c.Seconds[stage] += n
	}
}

// Each calls f with each counter and label whose value is not 0, in the order of
// [Counters].
func (c *Counts) Each(f func(k *Counter, label string, n float64)) {
	for i := range Counters {
		k := &Counters[i]
		if k.Label == "" {
			if n := c.value(k, ""); n != 0 {
				f(k, "", n)
			}
		}
		for _, label := range k.Values {
			if n := c.value(k, label); n != 0 {
				f(k, label, n)
			}
		}
	}
}

func (c *Counts) value(k *Counter, label string) float64 {
	switch k.Name {
	case "left_out":
		return float64(c.LeftOut[label])
	case "stage":
		return c.Seconds[label]
	}
	return float64(*c.unlabelled(k))
}

// unlabelled is the value of a counter without a label.
func (c *Counts) unlabelled(k *Counter) *int64 {
	switch k.Name {
	case "clusters":
		return &c.Clusters
	case "sentences":
		return &c.Sentences
	case "quoted":
		return &c.Quoted
	}
	panic("batch: no value of the counter " + k.Name)
}

// Set sets the value of a counter with a label.
func (c *Counts) Set(k *Counter, label string, n float64) {
	switch {
	case k.Label == "":
		*c.unlabelled(k) = int64(n)
	case n == 0:
	case k.Name == "left_out":
		if c.LeftOut == nil {
			c.LeftOut = map[string]int64{}
		}
		c.LeftOut[label] = int64(n)
	default:
		if c.Seconds == nil {
			c.Seconds = map[string]float64{}
		}
		c.Seconds[label] = n
	}
}

// String is a report of all counters but the number of clusters.
func (c *Counts) String() string {
	values := map[string][]string{}
	c.Each(func(k *Counter, label string, n float64) {
		if k.Label == "" {
			return
		}
		digits := 0
		if k.Unit != "" {
			digits = 2
		}
		values[k.Name] = append(values[k.Name], label+" "+strconv.FormatFloat(n, 'f', digits, 64))
	})
	text := fmt.Sprintf("sentences: %d, %d quoted", c.Sentences, c.Quoted)
	if reasons := values["left_out"]; reasons != nil {
		text += "; left out: " + strings.Join(reasons, ", ")
	}
	return text + "; seconds: " + strings.Join(values["stage"], ", ")
}

// reasonFor returns the reason for an error of [Lines], or of the work on a line that
// has been parsed.
func reasonFor(err error) string {
	switch {
	case errors.Is(err, jsonl.ErrLong):
		return TooLong
	case errors.Is(err, ErrLine):
		return Unreadable
	case errors.Is(err, ErrPanic):
		return Failed
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return TimeLimit
	case errors.Is(err, core.ErrNoText):
		return NoText
	case errors.Is(err, core.ErrOption):
		return Invalid
	}
	return Failed
}
