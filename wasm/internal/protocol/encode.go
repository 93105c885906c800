package protocol

import "github.com/cerasum/cerasum/core"

// These functions convert replies to trees. Every number is a float64, as in
// decoded trees, except for the offsets of sentences, a []uint32.

// object creates an object from alternating names and values. Map literals
// would make the page's program some kilobytes larger.
func object(pairs ...any) map[string]any {
	o := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i].(string)] = pairs[i+1]
	}
	return o
}

func helloReply() map[string]any {
	return object("kind", "hello", "protocol", float64(Version), "version", core.Version)
}

func infoReply(id int, methods []core.MethodInfo, languages []string) map[string]any {
	list := make([]any, len(methods))
	for i, m := range methods {
		list[i] = object(
			"name", m.Name, "title", m.Title, "description", m.Description,
			"embeddings", string(m.Embeddings), "weights", m.Weights == core.WeightsRequired, "query", m.Query,
			"fill", m.Fill, "acrossLanguages", m.AcrossLanguages,
		)
	}
	return object("kind", "info", "id", float64(id), "methods", list, "languages", texts(languages))
}

func openedReply(id, number int, s *core.Session, t stageTimes) map[string]any {
	documents := s.Documents()
	list := make([]any, len(documents))
	offsets := []uint32{}
	for i := range documents {
		doc := &documents[i]
		for j := range doc.Sentences {
			offsets = append(offsets, uint32(doc.Sentences[j].StartUTF16), uint32(doc.Sentences[j].EndUTF16))
		}
		list[i] = object("language", doc.Language, "sentences", float64(len(doc.Sentences)))
	}
	return object(
		"kind", "opened", "id", float64(id), "session", float64(number), "documents", list, "offsets", offsets,
		"embeddable", texts(s.Embeddable(false)), "asking", texts(s.Embeddable(true)), "timings", object("split", t.split, "encode", t.encode),
	)
}

func toEmbedReply(id int, numbers []int) map[string]any {
	sentences := make([]uint32, len(numbers))
	for k, n := range numbers {
		sentences[k] = uint32(n)
	}
	return object("kind", "toEmbed", "id", float64(id), "sentences", sentences)
}

func tokenizedReply(id int, ids, lengths []uint32, before int) map[string]any {
	return object("kind", "tokenized", "id", float64(id), "ids", ids, "lengths", lengths, "before", float64(before))
}

func summaryReply(id int, s *core.Summary, t stageTimes) map[string]any {
	sentences := make([]any, len(s.Sentences))
	for i := range s.Sentences {
		q := &s.Sentences[i]
		similar := make([]any, len(q.Similar))
		for k, r := range q.Similar {
			similar[k] = object("document", float64(r.Document), "sentence", float64(r.Ref.Sentence), "cosine", r.Cosine)
		}
		context := make([]any, len(q.Context))
		for k, r := range q.Context {
			context[k] = float64(r.Sentence)
		}
		sentences[i] = object(
			"document", float64(q.Document), "sentence", float64(q.Ref.Sentence),
			"score", q.Score, "gain", q.Gain, "similar", similar, "context", context,
		)
	}
	disagreements := make([]any, len(s.Disagreements))
	for i, d := range s.Disagreements {
		values := make([]any, len(d.Values))
		for k, v := range d.Values {
			values[k] = object(
				"value", v.Value, "document", float64(v.Document),
				"start", float64(v.StartUTF16), "end", float64(v.EndUTF16),
			)
		}
		disagreements[i] = object("what", d.What, "update", d.Update, "values", values)
	}
	documents := make([]any, len(s.Documents))
	for i, d := range s.Documents {
		documents[i] = object("chosen", float64(d.Chosen), "coverage", d.Coverage, "attention", numbers(d.Attention))
	}
	return object("kind", "summary", "id", float64(id), "summary", object(
		"method", s.Method,
		"budget", object(string(s.Budget.Unit), float64(s.Budget.Amount)),
		"used", float64(s.Used),
		"overBudget", s.OverBudget,
		"score", s.Score,
		"sentences", sentences,
		"documents", documents,
		"disagreements", disagreements,
		"timings", object("select", t.selection),
	))
}

// plainReply confirms a request.
func plainReply(kind string, id int) map[string]any {
	return object("kind", kind, "id", float64(id))
}

// numbers converts a list of numbers to a tree; nil stays nil.
func numbers(values []float64) any {
	if values == nil {
		return nil
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

func texts(values []string) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

func progressReply(id int, stage string, done, total int) map[string]any {
	return object(
		"kind", "progress", "id", float64(id),
		"stage", stage, "done", float64(done), "total", float64(total),
	)
}

func errorReply(e *Error) map[string]any {
	reply := object("kind", "error", "id", float64(e.ID), "code", string(e.Code), "message", e.Message)
	if e.Field != "" {
		reply["field"] = e.Field
	}
	return reply
}
