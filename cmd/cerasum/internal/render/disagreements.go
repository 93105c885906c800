package render

import (
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
)

const disagreementsHead = "Sources disagree"

// writeDisagreements writes a list of what the sources give different values for,
// each value with the numbers of its sources; nothing if they agree.
func writeDisagreements(b *strings.Builder, t terminal.Terminal, s *core.Summary) {
	if len(s.Disagreements) == 0 {
		return
	}
	b.WriteString("\n" + t.Paint(terminal.Bold, disagreementsHead) + "\n")
	for _, d := range s.Disagreements {
		line := disagreementLine(d, func(s string) string { return s }, mark)
		line = strings.ReplaceAll(line, " [", terminal.Glue+"[") // no mark begins a line
		b.WriteString(strings.Join(t.Lines(line, 0), "\n") + "\n")
	}
}

// disagreementLine is "injured: 14 [1] [3], 16 [2]", or "injured (updated): 14 [1] →
// 16 [2]", in the order of time, if newer documents update older ones.
func disagreementLine(d core.Disagreement, escape func(string) string, mark func(document int) string) string {
	between := ", "
	head := escape(terminal.Safe(d.What))
	if d.Update {
		between = " → "
		head = strings.TrimSpace(head + " (updated)")
	}
	if head != "" {
		head += ": "
	}
	var values []string // with the marks of their documents
	at := map[string]int{}
	for _, v := range d.Values {
		value := terminal.Safe(v.Value)
		if k, ok := at[value]; ok {
			values[k] += " " + mark(v.Document)
			continue
		}
		if d.Update {
			clear(at) // a value may return
		}
		at[value] = len(values)
		values = append(values, escape(value)+" "+mark(v.Document))
	}
	return head + strings.Join(values, between)
}
