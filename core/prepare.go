package core

import (
	"context"
	"slices"
	"strconv"

	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/text"
)

// Prepare detects the languages that are not given and splits the documents that
// have no sentences. It changes the documents; [Open] does the same to copies. It
// returns an [ErrOption] for a malformed language tag, date or block, and ctx.Err()
// when the context ends first.
func Prepare(ctx context.Context, documents []Document) error {
	return prepare(ctx, documents, nil, func(int) {})
}

// prepare is Prepare. Documents whose language is not certain are taken to be in the first
// of codes that they can be in.
func prepare(ctx context.Context, documents []Document, codes []string, progress func(done int)) error {
	var fresh []int // the documents that are split here
	for i := range documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := &documents[i]
		path := indexed("documents", i)
		if err := checkBlocks(path, d.Text, d.Blocks); err != nil {
			return err
		}
		if err := checkDate(path, d.Date); err != nil {
			return err
		}
		code, err := ParseLanguage(d.Language)
		if err != nil {
			return tagError(path+".language", d.Language)
		}
		if d.Language = code; code == "" {
			d.Language = detect(d.Text, codes)
		}
		if d.Sentences == nil {
			d.Sentences = text.SplitBlocks(d.Text, d.Language, d.Blocks)
			fresh = append(fresh, i)
		}
		progress(i + 1)
	}
	reading.Edit(documents, fresh)
	return nil
}

func detect(doc string, codes []string) string {
	detected := text.Detect(doc)
	if detected == "" || slices.Contains(codes, norwegian(detected)) {
		return detected
	}
	for _, code := range codes {
		if text.MaybeIn(doc, code) {
			return code
		}
	}
	return detected
}

// Languages lists the languages that are detected, as ISO 639-1 codes in
// alphabetical order.
func Languages() []string { return text.Languages() }

// ParseLanguage reduces a language tag to the code used in documents: "pt-BR",
// "pt_BR" and "por" are "pt". "und" and "" are "": the language is detected. A
// malformed tag is an [ErrOption].
func ParseLanguage(tag string) (string, error) {
	code, ok := text.Tag(tag)
	if !ok && tag != "" {
		return "", tagError("", tag)
	}
	return code, nil
}

// tagError is about a malformed language tag. A long one is not quoted.
func tagError(name, tag string) error {
	if len(tag) > 100 {
		return optionError(name, "want a language tag like en or pt-BR, got %d bytes", len(tag))
	}
	return optionError(name, "want a language tag like en or pt-BR, got %q", tag)
}

func indexed(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }
