package unigram

// MostTokens is the number of a text's ids that the network reads; the rest is cut off.
const MostTokens = 256

// question is put before questions, which the network was trained to tell from statements.
const question = "query:"

// Input appends what the network reads of a text: BOS, for a question the ids of "query:",
// the text's own ids, and EOS. It appends nothing for a text without any. The text's
// embedding is the mean over its own ids, which follow the first Before(asks) ones.
func (t *Tokenizer) Input(dst []int32, text string, asks bool) []int32 {
	start := len(dst)
	dst = append(dst, BOS)
	if asks {
		dst = t.Append(dst, question)
	}
	own := len(dst)
	dst = t.Append(dst, text)
	if len(dst) == own {
		return dst[:start]
	}
	return append(dst[:min(len(dst), own+MostTokens)], EOS)
}

// Before is the number of ids before a text's own in what Input appends.
func (t *Tokenizer) Before(asks bool) int {
	if asks {
		return 1 + len(t.Append(nil, question))
	}
	return 1
}
