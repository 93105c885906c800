// Package text splits documents into sentences, counts words and tells
// languages.
package text

import (
	"github.com/cerasum/cerasum/core/cluster"
)

// Split cuts a document into sentences. Provisional.
func Split(doc, language string) []cluster.Sentence { panic("not yet") }
