package main

import (
	"cmp"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/records"
)

func init() {
	beam.RegisterDoFn(&rows{})
	beam.RegisterDoFn(&gather{})
}

// group makes clusters of lines that are documents with the same value of a field, as "batch
// --group-by" does. Documents that cannot be read remain lines of their own, with the reason.
func group(scope beam.Scope, lines beam.PCollection, s Settings) beam.PCollection {
	scope = scope.Scope("group")
	documents, unread := beam.ParDo2(scope, &rows{GroupBy: s.GroupBy, Documents: s.Documents}, lines)
	clusters := beam.ParDo(scope, &gather{MaxLine: s.MaxLine << 20}, beam.GroupByKey(scope, documents))
	return beam.Flatten(scope, clusters, unread)
}

// rows sends each document to its group.
type rows struct{ GroupBy, Documents string }

func (r *rows) ProcessElement(line Line, documents func([]byte, Line), unread func(Line)) {
	if line.Reason != "" {
		unread(line)
		return
	}
	o := records.Options{GroupBy: r.GroupBy, Documents: r.Documents}
	key, document, err := o.Row([]byte(line.Raw))
	if err != nil {
		err = records.InRow(line.Number, err)
		unread(Line{File: line.File, Number: line.Number, Reason: err.Error(), Kind: (&batch.Counts{}).Unread(err)})
		return
	}
	line.Raw = string(document)
	documents(key, line)
}

// gather makes the line of a group: its documents in the order of the corpus. It is at the place
// of the first one. A group above the limit is reported with its size, and not held.
type gather struct{ MaxLine int }

func (g *gather) ProcessElement(key []byte, documents func(*Line) bool, emit func(Line)) {
	compare := func(a, b Line) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Number, b.Number)) }
	group := records.Group{Key: key, Max: g.MaxLine}
	var all []Line
	var first Line
	for d := (Line{}); documents(&d); d = (Line{}) {
		if first.File == "" || compare(d, first) < 0 {
			first = Line{File: d.File, Number: d.Number}
		}
		if group.Add(len(d.Raw)) {
			all = append(all, d)
		} else {
			all = nil
		}
	}
	if err := group.Err(); err != nil {
		first.Reason, first.Kind = err.Error(), (&batch.Counts{}).Unread(err)
		emit(first)
		return
	}
	slices.SortFunc(all, compare)
	line := group.Begin(nil)
	for i, d := range all {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, d.Raw...)
	}
	first.Raw = string(append(line, "]}"...))
	emit(first)
}
