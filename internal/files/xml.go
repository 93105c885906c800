package files

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// walker reads an XML file, element by element.
type walker struct {
	d     *xml.Decoder
	name  string // of the file
	depth int
}

func walk(data []byte, name string, decode Decoder) *walker {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		s, err := decode(raw, label)
		return strings.NewReader(s), err
	}
	return &walker{d: d, name: name}
}

// next returns the next token; io.EOF at the end.
func (w *walker) next() (xml.Token, error) {
	t, err := w.d.Token()
	if errors.Is(err, io.EOF) && w.depth == 0 {
		return nil, io.EOF
	}
	if err != nil {
		return nil, problem(Damaged, "%s: %v", w.name, err)
	}
	switch t.(type) {
	case xml.StartElement:
		if w.depth++; w.depth > maxDepth {
			return nil, problem(TooDeep, "%s", w.name)
		}
	case xml.EndElement:
		w.depth--
	}
	return t, nil
}

// children calls start for each child element, which must read it to its end, and text
// for the text between them, until the end of the element.
func (w *walker) children(start func(xml.StartElement) error, text func(string)) error {
	for {
		t, err := w.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := start(t); err != nil {
				return err
			}
		case xml.CharData:
			if text != nil {
				text(string(t))
			}
		case xml.EndElement:
			return nil
		}
	}
}

// skip reads to the end of an element.
func (w *walker) skip() error {
	for end := w.depth - 1; w.depth > end; {
		if _, err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// content returns the text of an element.
func (w *walker) content() (string, error) {
	var b strings.Builder
	for end := w.depth - 1; w.depth > end; {
		t, err := w.next()
		if err != nil {
			return "", err
		}
		if s, ok := t.(xml.CharData); ok {
			b.Write(s)
		}
	}
	return b.String(), nil
}

// each calls visit for every element in document order; visit must not read.
func (w *walker) each(visit func(xml.StartElement)) error {
	for {
		t, err := w.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok {
			visit(start)
		}
	}
}

// attribute returns an attribute of any namespace, empty if there is none.
func attribute(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// described is what a document says about itself, by the names of the elements.
func described(data []byte, name string, decode Decoder, keys ...string) map[string]string {
	found := map[string]string{}
	w := walk(data, name, decode)
	for {
		t, err := w.next()
		if err != nil {
			return found
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		for _, key := range keys {
			if start.Name.Local != key || found[key] != "" {
				continue
			}
			s, err := w.content()
			if err != nil {
				return found
			}
			found[key] = oneLine(s)
			break
		}
	}
}
