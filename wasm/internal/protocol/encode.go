package protocol

import (
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// The functions here turn answers into trees. Every number is a float64, as in
// a tree that was read.

func helloReply() map[string]any {
	return map[string]any{"kind": "hello", "protocol": float64(Version), "version": core.Version}
}

func methodsReply(id int, methods []core.MethodInfo) map[string]any {
	list := make([]any, len(methods))
	for i, m := range methods {
		list[i] = map[string]any{"name": m.Name, "title": m.Title, "description": m.Description, "embeddings": string(m.Embeddings), "weights": m.Weights == core.WeightsRequired}
	}
	return map[string]any{"kind": "methods", "id": float64(id), "methods": list}
}

func splitReply(id int, c *cluster.Cluster) map[string]any {
	documents := make([]any, len(c.Documents))
	for i := range c.Documents {
		doc := &c.Documents[i]
		sentences := make([]any, len(doc.Sentences))
		for j := range doc.Sentences {
			s := &doc.Sentences[j]
			sentences[j] = map[string]any{"start": float64(s.StartUTF16), "end": float64(s.EndUTF16)}
		}
		documents[i] = map[string]any{"language": doc.Language, "sentences": sentences}
	}
	return map[string]any{"kind": "split", "id": float64(id), "documents": documents}
}

// summaryReply needs the cluster for the places of the similar sentences.
func summaryReply(id int, c *cluster.Cluster, s *core.Summary, t timings) map[string]any {
	sentences := make([]any, len(s.Sentences))
	for i := range s.Sentences {
		sentences[i] = quote(c, &s.Sentences[i])
	}
	documents := make([]any, len(s.Documents))
	for i, d := range s.Documents {
		documents[i] = map[string]any{
			"source":    d.Source,
			"title":     d.Title,
			"language":  d.Language,
			"sentences": float64(d.Sentences),
			"chosen":    float64(d.Chosen),
			"coverage":  d.Coverage,
			"attention": numbers(d.Attention),
		}
	}
	return map[string]any{"kind": "summary", "id": float64(id), "summary": map[string]any{
		"text":       s.Text,
		"method":     s.Method,
		"budget":     map[string]any{"amount": float64(s.Budget.Amount), "unit": string(s.Budget.Unit)},
		"used":       float64(s.Used),
		"overBudget": s.OverBudget,
		"score":      s.Score,
		"sentences":  sentences,
		"documents":  documents,
		"timings":    map[string]any{"split": t.split, "encode": t.encode, "select": t.selection},
	}}
}

// numbers is the tree of a list of numbers; that of nil is nil.
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

func quote(c *cluster.Cluster, q *core.Quote) map[string]any {
	similar := make([]any, len(q.Similar))
	for i, s := range q.Similar {
		at := c.At(s.Ref)
		similar[i] = map[string]any{
			"document": float64(s.Document),
			"sentence": float64(s.Ref.Sentence),
			"start":    float64(at.StartUTF16),
			"end":      float64(at.EndUTF16),
			"cosine":   s.Cosine,
		}
	}
	return map[string]any{
		"text":     q.Text,
		"document": float64(q.Document),
		"sentence": float64(q.Ref.Sentence),
		"start":    float64(q.StartUTF16),
		"end":      float64(q.EndUTF16),
		"score":    q.Score,
		"gain":     q.Gain,
		"similar":  similar,
	}
}

func progressReply(id int, stage string, done, total int) map[string]any {
	return map[string]any{
		"kind": "progress", "id": float64(id),
		"stage": stage, "done": float64(done), "total": float64(total),
	}
}

func errorReply(e *Error) map[string]any {
	reply := map[string]any{"kind": "error", "id": float64(e.ID), "code": string(e.Code), "message": e.Message}
	if e.Field != "" {
		reply["field"] = e.Field
	}
	return reply
}
