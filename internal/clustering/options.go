package clustering

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Options of a clustering.
type Options struct {
	// Threshold is the least average similarity of two clusters that are merged, above
	// that to their surroundings and what their sizes cost; 0 means [DefaultThreshold].
	Threshold float64
	// Within is the longest time between two documents of a cluster whose dates are
	// known; 0 means any.
	Within time.Duration
	// EventSize: few events have more documents than this; those with many more are
	// split. 0 means [DefaultEventSize]. How similar a document is to its further
	// neighbours tells how similar documents of its topic are that are about other
	// events.
	EventSize int
	// Max is the largest number of documents in a cluster; 0 means any.
	Max int
	// Min is the least number of documents of a cluster that a program writes;
	// [Finder.Clusters] returns smaller ones too.
	Min int
	// Workers is the number of documents compared at once; 0 means 1. The clusters
	// do not depend on it.
	Workers int
	// MaxCopies is the largest number of near-duplicates that are one event; more are
	// notices of web sites and the like, and none of them is in a cluster. Copies count
	// whatever Max and Within are. 0 means any.
	MaxCopies int
	// Folder for temporary files; empty: that of the system.
	Folder string
	// Progress is called, if it is not nil, with the number of documents compared.
	Progress func(done, total int) `json:"-"`
}

// DefaultThreshold was chosen on Multi-News validation. Corpora of larger events need less,
// down to 0.02.
const DefaultThreshold = 0.1

// DefaultEventSize is that of [Options.EventSize].
const DefaultEventSize = 32

// MaxEventSize is the largest [Options.EventSize].
const MaxEventSize = 64

// filled returns the options with their defaults.
func (o Options) filled() Options {
	o.Threshold = cmp.Or(o.Threshold, DefaultThreshold)
	o.EventSize = cmp.Or(o.EventSize, DefaultEventSize)
	o.Workers = max(o.Workers, 1)
	if o.Max <= 0 {
		o.Max = math.MaxInt
	}
	return o
}

// Flags declares the flags of the options and sets these to their defaults. The set is one of
// package flag, or of pflag.
func (o *Options) Flags(set interface {
	DurationVar(p *time.Duration, name string, value time.Duration, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	IntVar(p *int, name string, value int, usage string)
}) {
	set.DurationVar(&o.Within, "within", 0, "longest time between two documents of a cluster, for example 72h (default: any)")
	set.Float64Var(&o.Threshold, "threshold", DefaultThreshold, "similarity from which documents are about one event, above 0 and below 1: higher for fewer, purer clusters")
	set.IntVar(&o.Min, "min", 2, "minimum number of documents of a cluster; smaller ones are left out")
	set.IntVar(&o.Max, "max", 0, "maximum number of documents of a cluster (0: any number)")
	set.IntVar(&o.EventSize, "event-size", DefaultEventSize, "typical maximum size of an event in documents, 1 to 64")
	set.IntVar(&o.MaxCopies, "max-copies", 0, "maximum number of near-duplicates of a text; texts with more, such as notices of web sites, are left out (0: any number)")
}

// Check validates the values of the flags. The error begins with the name of one.
func (o *Options) Check() error {
	switch {
	case !(o.Threshold > 0 && o.Threshold < 1):
		return fmt.Errorf("--threshold %v: want a number above 0 and below 1", o.Threshold)
	case o.Within < 0:
		return fmt.Errorf("--within %v: want a positive duration", o.Within)
	case o.Min < 1:
		return fmt.Errorf("--min %d: want a positive number", o.Min)
	case o.Max < 0 || o.Max > 0 && o.Max < o.Min:
		return fmt.Errorf("--max %d: want 0 or at least --min, %d", o.Max, o.Min)
	case o.EventSize < 1 || o.EventSize > MaxEventSize:
		return fmt.Errorf("--event-size %d: want 1 to %d", o.EventSize, MaxEventSize)
	case o.MaxCopies < 0:
		return fmt.Errorf("--max-copies %d: want 0 or a positive number", o.MaxCopies)
	}
	return nil
}
