package core

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/text"
)

// Prepare fills in what is missing in the cluster: each document's language,
// detected where it is empty, and its sentences. It changes c, and returns
// ctx.Err() when the context ends first. A language that is no tag is refused
// with ErrOption.
func Prepare(ctx context.Context, c *cluster.Cluster) error {
	return prepare(ctx, c, func(int, int) {})
}

func prepare(ctx context.Context, c *cluster.Cluster, progress func(done, total int)) error {
	for i := range c.Documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := &c.Documents[i]
		if d.Language == "" {
			d.Language = text.Detect(d.Text)
		} else {
			tag, ok := languageTag(d.Language)
			if !ok {
				return errorf.Errorf("%w: documents[%d].language %q: want an ISO 639-1 tag like en or pt", ErrOption, i, d.Language)
			}
			d.Language = tag
		}
		if d.Sentences == nil {
			d.Sentences = text.Split(d.Text, d.Language)
		}
		progress(i+1, len(c.Documents))
	}
	return nil
}

// languageTag reduces a BCP 47 tag to its language in lower case: "pt-BR" is
// "pt".
func languageTag(tag string) (string, bool) {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	if len(tag) < 2 || len(tag) > 3 {
		return "", false
	}
	tag = strings.ToLower(tag)
	for i := range len(tag) {
		if tag[i] < 'a' || tag[i] > 'z' {
			return "", false
		}
	}
	return tag, true
}
