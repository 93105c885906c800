package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/cerasum/cerasum/batch"
	"github.com/spf13/cobra"
)

// fieldFlags say what becomes of fields of JSON Lines that the program does not
// know.
type fieldFlags struct{ strict, keep bool }

func (f *fieldFlags) add(cmd *cobra.Command) {
	f.addStrict(cmd)
	cmd.Flags().BoolVar(&f.keep, "keep-fields", false, "add unknown fields of JSON Lines to the output")
}

func (f *fieldFlags) addStrict(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "refuse records of JSON Lines with unknown fields, which are otherwise ignored and counted")
}

// maxFields is the number of ignored fields that are reported, and maxCounted that
// of those that are counted: names may be data, such as dates.
const (
	maxFields  = 10
	maxCounted = 1000
)

// ignoredFields counts the records by the unknown fields that they have.
type ignoredFields struct {
	mu      sync.Mutex
	records map[string]int
	more    bool // some names are not counted
}

// add counts a record with its unknown fields.
func (i *ignoredFields) add(fields []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, f := range fields {
		switch {
		case i.records == nil:
			i.records = map[string]int{f: 1}
		case i.records[f] > 0 || len(i.records) < maxCounted:
			i.records[f]++
		default:
			i.more = true
		}
	}
}

// report warns of the ignored fields, those of most records first.
func (i *ignoredFields) report(a *app) {
	i.mu.Lock()
	defer i.mu.Unlock()
	names := make([]string, 0, len(i.records))
	for name := range i.records {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(i.records[y], i.records[x]), cmp.Compare(x, y))
	})
	for _, name := range names[:min(maxFields, len(names))] {
		a.warn(batch.IgnoredField(name, i.records[name]))
	}
	switch left := len(names) - maxFields; {
	case i.more:
		a.warn(fmt.Sprintf("ignored more than %d other fields", left))
	case left > 0:
		a.warn("ignored " + plural(left, "other field"))
	}
}

// keeper adds the unknown fields of a record to its summary, which is written in one
// write.
type keeper struct {
	w       io.Writer
	record  *batch.Record
	ignored *ignoredFields
}

func (k *keeper) Write(line []byte) (int, error) {
	kept, dropped, err := k.record.Keep(line)
	if err != nil {
		return 0, err
	}
	k.ignored.add(dropped)
	if _, err := k.w.Write(kept); err != nil {
		return 0, err
	}
	return len(line), nil
}
