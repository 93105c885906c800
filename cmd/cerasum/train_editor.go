package main

import (
	"context"
	"fmt"
	"io"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/train/editor"
	"github.com/spf13/cobra"
)

func (a *app) trainEditorCommand() *cobra.Command {
	var f trainFlags
	var papers, meetings, pages string
	cmd := &cobra.Command{
		Use:   "editor --train FILE[,skip=N]... --papers FILE --meetings FILE [--pages DIR] --out FILE",
		Short: "Train the models of method editor",
		Long: `Train the models of method editor, the default: logistic regressions that predict which
sentences an editor quotes, one each for several documents, a single document, a paper,
the transcript of a conversation, and several documents with headings.

--train names a file of clusters with an editor's choices, one JSON object per line with
"id", "documents" and "references", and with "extract", "good" and "never", each a list
of [document, start, end] in UTF-16 units; .gz is decompressed. skip=3 after the name
leaves out every third cluster, for testing. --papers names the training papers of
ScisummNet with their summaries, --meetings the training meetings of QMSum, both JSON
Lines. --pages names a folder with clones of public repositories, in OWNER/NAME. The
editor's choices in these papers, meetings and repositories are built in. Without --pages,
several documents with headings use the same model as those without.

The output is internal/reading/model.txt, which is built into the program. The same
files give the same bytes.`,
		Example: "  cerasum train editor --train clusters.jsonl.gz,skip=3 --papers scisumm-train.jsonl.gz --meetings qmsum-train.jsonl.gz --pages repositories --out model.txt",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.trainEditor(cmd.Context(), &f, papers, meetings, pages)
		},
	}
	f.add(cmd.Flags(), "clusters with an editor's choices", "the model")
	cmd.Flags().StringVar(&papers, "papers", "", "training papers of ScisummNet, with their summaries")
	cmd.Flags().StringVar(&meetings, "meetings", "", "training meetings of QMSum")
	cmd.Flags().StringVar(&pages, "pages", "", "folder with clones of the repositories with labelled documents")
	return cmd
}

func (a *app) trainEditor(ctx context.Context, f *trainFlags, papers, meetings, pages string) error {
	if err := f.check(); err != nil {
		return err
	}
	out, err := openOutput(f.out, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	var examples []editor.Example
	for _, given := range f.train {
		skip := 0
		path, err := trainFile(given, func(name, value string) (known bool, err error) {
			if name != "skip" {
				return false, nil
			}
			skip, err = atLeast(2, value)
			return true, err
		})
		if err != nil {
			return err
		}
		if examples, err = editorExamples(ctx, path, skip, examples); err != nil {
			return err
		}
	}
	if papers != "" {
		if examples, err = paperExamples(ctx, papers, examples); err != nil {
			return err
		}
	}
	if meetings != "" {
		if examples, err = meetingExamples(ctx, meetings, examples); err != nil {
			return err
		}
	}
	if pages != "" {
		if examples, err = a.pageExamples(ctx, pages, examples); err != nil {
			return err
		}
	}
	a.note("training on %s", clusters(len(examples)))
	model, err := editor.Train(ctx, examples)
	if err != nil {
		return err
	}
	if _, err := out.Write(model); err != nil {
		return err
	}
	return out.commit()
}

// editorExamples appends the clusters of a file, without the last of every skip, if that
// is not 0.
func editorExamples(ctx context.Context, path string, skip int, to []editor.Example) ([]editor.Example, error) {
	var files corpusFiles
	in, err := files.Open(files.root(path))
	if err != nil {
		return nil, err
	}
	choices, err := dataset.ReadChoices(in, path)
	in.Close()
	if err != nil {
		return nil, err
	}
	reader, closer, err := dataset.Open(&files, files.root(path), dataset.OpenOptions{})
	if err != nil {
		return nil, datasetError(err)
	}
	defer closer.Close()
	for i := 0; ; i++ {
		c, err := reader.Next()
		if err == io.EOF {
			return to, nil
		}
		if err != nil {
			return nil, err
		}
		if skip > 0 && i%skip == skip-1 {
			continue
		}
		choice := choices[c.ID]
		if choice == nil {
			return nil, fmt.Errorf("%s: cluster %s: no editor's choice", path, c.ID)
		}
		e, err := editorExample(ctx, c.Documents, choice)
		if err != nil {
			return nil, fmt.Errorf("%s: cluster %s: %w", path, c.ID, err)
		}
		e.Written = true
		if e.Kinds[0] == reading.Spoken {
			e.Kinds = append(e.Kinds, reading.Single) // without them, pages read slightly worse
		}
		to = append(to, e)
	}
}

func editorExample(ctx context.Context, documents []cluster.Document, choice *dataset.Choice) (e editor.Example, err error) {
	s, err := core.Open(ctx, documents, core.OpenOptions{})
	if err != nil {
		return e, err
	}
	defer s.Close()
	if e.Features, err = s.ReadingFeatures(ctx); err != nil {
		return e, err
	}
	e.Kinds = []reading.Kind{reading.KindOf(s.Documents(), e.Features)}
	for d, document := range s.Documents() {
		for _, q := range document.Sentences {
			span := dataset.Span{Document: d, Start: q.StartUTF16, End: q.EndUTF16}
			switch {
			case span.In(choice.Extract):
				e.Weight = append(e.Weight, editor.Quoted)
			case span.In(choice.Good):
				e.Weight = append(e.Weight, editor.Good)
			default:
				e.Weight = append(e.Weight, editor.NotQuoted)
			}
		}
	}
	return e, nil
}
