package reading

import "strings"

const (
	// repeatedWords is the length of the longest line that repetition makes furniture.
	repeatedWords = 20
	// repeatedRun is the number of repeated sentences in a row from which documents are
	// copies of each other rather than pages of one site.
	repeatedRun = 7
)

// dropRepeated drops the short lines that several documents of one site have at their
// head or end, letter for letter. Two documents are enough for a line that is not a
// closed sentence. Reports that update each other share sentences of background, so
// that a closed one must address the reader, or be in most documents of the site.
// Documents without a source are taken to be of one site.
func dropRepeated(editors []*editor) {
	if len(editors) < 2 {
		return
	}
	counts, sites := map[string]int{}, map[string]int{}
	for _, e := range editors {
		sites[e.site()]++
		seen := map[string]bool{}
		for k := range e.parts {
			if !e.margin(k) {
				continue
			}
			for _, key := range e.keys(e.parts[k].text) {
				if key != "" && !seen[key] {
					seen[key] = true
					counts[key]++
				}
			}
		}
	}
	for _, e := range editors {
		if len(e.parts) >= 4 {
			e.dropRun(counts, sites, 0, 1)
			e.dropRun(counts, sites, len(e.parts)-1, -1)
		}
	}
}

// margin reports whether the k-th sentence is near the head or end of its document.
func (e *editor) margin(k int) bool { return k < repeatedRun || k >= len(e.parts)-repeatedRun }

// keys are what a sentence is compared by: the site and the folded text; the same for
// the first and the last of its lines, "" where it has one line.
func (e *editor) keys(s string) [3]string {
	var keys [3]string
	keys[0] = e.key(s)
	if i := strings.IndexByte(s, '\n'); i > 0 {
		keys[1] = e.key(s[:i])
		keys[2] = e.key(s[strings.LastIndexByte(s, '\n')+1:])
	}
	return keys
}

func (e *editor) key(s string) string {
	if len(s) > 400 {
		return ""
	}
	return e.site() + "\x00" + fold(s)
}

// site returns the host of an address. Other sources, such as the name of a file or
// "document 3", say nothing of the site: these documents count as one.
func (e *editor) site() string {
	_, rest, ok := strings.Cut(e.source, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// dropRun drops the repeated sentences from parts[k] on, in steps of 1 or −1.
func (e *editor) dropRun(counts, sites map[string]int, k, step int) {
	var run []int
	end := k
	for ; end >= 0 && end < len(e.parts) && counts[e.key(e.parts[end].text)] > 1 && length(e.parts[end].text) <= repeatedWords; end += step {
		run = append(run, end)
	}
	if len(run) >= repeatedRun || len(run) == len(e.parts) {
		return
	}
	for _, i := range run {
		p := &e.parts[i]
		n := counts[e.key(p.text)]
		most := n > 3 && 5*n > 3*sites[e.site()] || n > 2 && e.site() != "" && 2*n > sites[e.site()]
		switch line := e.lineWithin(i, min(k, end-step), max(k, end-step)); {
		case !closedMark(p.text):
			p.drop = line && !e.caseless || most
		case line && n > 2:
			p.drop = most || e.addressed(p.text)
		default:
			p.drop = most && n > 3
		}
	}
	// The line that the splitter joined with the first or last sentence of the text.
	if end < 0 || end >= len(e.parts) {
		return
	}
	p := &e.parts[end]
	keys := e.keys(p.text)
	switch {
	case counts[keys[0]] > 1:
	case step > 0 && keys[1] != "" && counts[keys[1]] > 1 && length(p.text[:strings.IndexByte(p.text, '\n')]) <= repeatedWords:
		p.cutStart(strings.IndexByte(p.text, '\n'))
	case step < 0 && keys[2] != "" && counts[keys[2]] > 1 && length(p.text[strings.LastIndexByte(p.text, '\n'):]) <= repeatedWords:
		p.cutEnd(strings.LastIndexByte(p.text, '\n'))
	}
}

// lineWithin reports whether the line of parts[i] lies within parts[first:last+1].
func (e *editor) lineWithin(i, first, last int) bool {
	from, to := i, i
	for !e.parts[from].opens {
		from--
	}
	for !e.parts[to].closes {
		to++
	}
	return from >= first && to <= last
}

// addressed reports whether a sentence addresses its readers or names what sites call
// them to.
func (e *editor) addressed(s string) bool {
	f := fold(s)
	return e.words.we.in(f) || e.words.thing.in(f)
}
