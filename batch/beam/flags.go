package main

import (
	"flag"
	"fmt"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/records"
)

// declare declares the flags of files and settings. After parsing, conflict returns an error if
// one was given that would be ignored.
func declare(set *flag.FlagSet, f *Files, s *Settings) (conflict func() error) {
	set.StringVar(&f.Input, "input", "", "folder or pattern of the input files, JSON Lines, CSV, TSV or Parquet with one cluster per record, also compressed with gzip or zstd, for example gs://bucket/corpus-*.jsonl.gz or s3://bucket/corpus-*.parquet")
	set.StringVar(&f.Output, "output", "", "output file, one summary per line in no particular order; a name that ends in .parquet, .csv, .tsv, .gz or .zst selects another format or compression")
	set.IntVar(&f.Shards, "shards", 1, "number of output files written in parallel: summaries-00002-of-00010.jsonl")
	set.StringVar(&f.Bad, "bad", "", "file for lines that cannot be summarized, with the reason (default: the output file's name plus .bad.jsonl)")
	s.Options = map[string]string{}
	for _, o := range options.List() {
		if o.NoFlag == "" && o.Name != "denseWeight" { // there is no encoder here
			help := o.Help
			if o.Values != nil && o.Name != "method" {
				help += ": " + core.OneOf(o.Values)
			}
			if o.Default != "" {
				help += " (default " + o.Default + ")"
			}
			parse := func(text string) error {
				s.Options[o.Name] = text
				return o.Parse(&core.Options{}, text)
			}
			if o.Kind() == options.Boolean {
				set.BoolFunc(o.Flag(), help, parse)
			} else {
				set.Func(o.Flag(), help, parse)
			}
		}
	}
	set.StringVar(&s.Language, "lang", "", "language code of all documents, for example en or pt (default: detected per document)")
	set.IntVar(&s.MaxLine, "max-line", batch.DefaultMaxLine>>20, "maximum size of a line in MiB")
	records.Flags(set, &s.Documents, &s.ID, &s.GroupBy)
	set.BoolVar(&s.Strict, "strict", false, "refuse lines with unknown fields, which are otherwise ignored and counted")
	set.BoolVar(&s.KeepFields, "keep-fields", false, "add unknown fields to the output")
	c := &s.Clustering
	set.BoolVar(&c.On, "cluster", false, "the records are documents, with a text or otherwise a list of documents, and their id becomes their source: find those about one event first, like \"cerasum cluster\"")
	own := flag.NewFlagSet("", flag.ContinueOnError)
	c.Fields.Flags(own)
	c.Options.Flags(own)
	own.IntVar(&c.Block, "block", defaultBlock, "number of texts that a worker holds to compare all others with, 3 kB each")
	own.VisitAll(func(f *flag.Flag) { set.Var(f.Value, f.Name, "(--cluster) "+f.Usage) })
	return func() (err error) {
		set.Visit(func(f *flag.Flag) {
			if !c.On && own.Lookup(f.Name) != nil {
				err = fmt.Errorf("--%s requires --cluster", f.Name)
			}
		})
		return err
	}
}
