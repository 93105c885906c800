package blind

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// ReadCandidates reads summaries made elsewhere, JSON Lines {"id", "name", "text"}, and
// calls add with each. An id may be a number. file names r in errors.
func ReadCandidates(r io.Reader, file string, add func(id, name, text string) error) error {
	in := jsonl.NewReader(r)
	for {
		raw, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var id, name, text string
		if err == nil {
			read := func(to *string) func(json.RawMessage) error {
				return func(v json.RawMessage) (err error) {
					*to, err = jsonl.String(v)
					if err == nil && strings.TrimSpace(*to) == "" {
						err = errors.New("want text, got a blank string")
					}
					return err
				}
			}
			err = jsonl.Object(raw, jsonl.Members{
				"id": func(v json.RawMessage) error {
					if n, err := jsonl.Int(v); err == nil {
						id = fmt.Sprint(n)
						return nil
					}
					return read(&id)(v)
				},
				"name": read(&name), "text": read(&text),
			}, "id", "name", "text")
		}
		if err == nil {
			err = add(id, name, text)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, in.Line(), err)
		}
	}
}
