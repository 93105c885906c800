package tokenizer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/trie"
)

// naiveUnigram is the reference's algorithm, unchanged: a lattice of nodes, each of
// which searches for the best node that ends where it starts.
type naiveUnigram struct {
	scores map[string]float64
	unk    float64
}

func (u naiveUnigram) cut(word string) []string {
	type node struct {
		text  string
		score float64
		back  float64
		prev  *node
	}
	chars := []rune(word)
	begin := make([][]*node, len(chars)+1)
	end := make([][]*node, len(chars)+1)
	eos := &node{}
	end[0] = append(end[0], &node{})
	insert := func(at, n int, score float64) {
		x := &node{text: string(chars[at : at+n]), score: score}
		begin[at] = append(begin[at], x)
		end[at+n] = append(end[at+n], x)
	}
	for at := range chars {
		single := false
		for n := 1; at+n <= len(chars); n++ {
			if score, ok := u.scores[string(chars[at:at+n])]; ok {
				insert(at, n, score)
				single = single || n == 1
			}
		}
		if !single {
			insert(at, 1, u.unk)
		}
	}
	begin[len(chars)] = append(begin[len(chars)], eos)
	for at := range begin {
		for _, right := range begin[at] {
			best := 0.0
			for _, left := range end[at] {
				if score := left.back + right.score; right.prev == nil || score > best {
					right.prev, best = left, score
				}
			}
			right.back = best
		}
	}
	var out []string
	for n := eos.prev; n.prev != nil; n = n.prev {
		out = append(out, n.text)
	}
	slices.Reverse(out)
	return out
}

// TestUnigramAgreesWithNaive compares with the naive lattice on scores with so many
// equal and almost equal sums that the order of additions decides.
func TestUnigramAgreesWithNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	exact := 0
	for range 300 {
		// Tenths have no exact binary form: the last bits of a sum depend on the
		// order of additions.
		vocabulary := map[string]float64{}
		for range 30 {
			var b strings.Builder
			for range 1 + random.IntN(4) {
				b.WriteRune([]rune("abcdé日")[random.IntN(6)])
			}
			vocabulary[b.String()] = -float64(1+random.IntN(40)) / 10
		}
		file := strings.Builder{}
		file.WriteString(`{"added_tokens":[],"normalizer":null,"pre_tokenizer":null,"post_processor":null,"decoder":null,"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0]`)
		least := 0.0
		for piece, score := range vocabulary {
			fmt.Fprintf(&file, `,[%q,%v]`, piece, score)
			least = min(least, score)
		}
		file.WriteString(`]}}`)
		tok := parse(t, file.String())
		naive := naiveUnigram{vocabulary, least - unkPenalty}
		for range 40 {
			var b strings.Builder
			for range random.IntN(30) {
				b.WriteRune([]rune("abcdé日x")[random.IntN(7)])
			}
			word := b.String()
			var want []int32
			unknown := ""
			flush := func() {
				if unknown != "" {
					id, _ := tok.ID(unknown) // 0, the unknown token, if there is none
					want = append(want, id)
				}
				unknown = ""
			}
			for _, piece := range naive.cut(word) {
				if _, ok := vocabulary[piece]; !ok {
					unknown += piece
					continue
				}
				flush()
				id, _ := tok.ID(piece)
				want = append(want, id)
			}
			flush()
			if got := tok.Encode(word); !slices.Equal(got, want) {
				t.Fatalf("%q: got %q, want %q", word, names(tok, got), names(tok, want))
			}
			if !tok.model.(*unigram).viterbi(new(lattice), word) {
				exact++
			}
		}
	}
	if exact == 0 {
		t.Error("no word was so near that the exact way was taken: the test tests less than it says")
	}
}

// TestUnigramNear has two paths whose order changes when the next piece is added:
// rounding makes their sums equal, and the earlier start wins.
func TestUnigramNear(t *testing.T) {
	scores := map[string]float64{"a": -1, "aa": math.Nextafter(-2, -3), "b": -1e6}
	naive := naiveUnigram{scores, -1e6 - unkPenalty}
	tok := parse(t, fmt.Sprintf(`{"added_tokens":[],"normalizer":null,"pre_tokenizer":null,"post_processor":null,"decoder":null,
		"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1],["aa",%v],["b",-1e6]]}}`, scores["aa"]))
	for _, word := range []string{"aa", "aab", "aaba", "baab"} {
		var want []string
		want = append(want, naive.cut(word)...)
		if got := names(tok, tok.Encode(word)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if fmt.Sprint(naive.cut("aa")) == fmt.Sprint(naive.cut("aab")[:2]) {
		t.Error("rounding turned nothing round: the test tests less than it says")
	}
}

// naiveWordPiece tries substrings from the longest down, as the reference does.
func naiveWordPiece(tok *Tokenizer, word, prefix, unk string, most int) []string {
	chars := []rune(word)
	if len(chars) > most {
		return []string{unk}
	}
	var out []string
	for at := 0; at < len(chars); {
		end := len(chars)
		for ; end > at; end-- {
			text := string(chars[at:end])
			if at > 0 {
				text = prefix + text
			}
			if _, ok := tok.ID(text); ok {
				out = append(out, text)
				break
			}
		}
		if end == at {
			return []string{unk}
		}
		at = end
	}
	return out
}

func TestWordPieceAgreesWithNaive(t *testing.T) {
	tok := fixture(t, "bert-uncased")
	for _, text := range lines[string](t, "testdata/sentences.jsonl") {
		for _, word := range tok.Words(text) {
			var want []int32
			for _, piece := range naiveWordPiece(tok, word, "##", "[UNK]", 100) {
				id, _ := tok.ID(piece)
				want = append(want, id)
			}
			if got := tok.AppendWord(nil, word); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", word, names(tok, got), names(tok, want))
			}
		}
	}
}

// naiveBPE searches for the best pair again after each merge.
func naiveBPE(b *bpe, word string) []string {
	var parts []string
	for _, r := range word {
		parts = append(parts, string(r))
	}
	for {
		best, rank := -1, int32(0)
		for i := 0; i+1 < len(parts); i++ {
			left, ok := b.symbols[parts[i]]
			right, ok2 := b.symbols[parts[i+1]]
			if m, ok3 := b.merges[pairKey(left, right)]; ok && ok2 && ok3 && (best < 0 || m.rank < rank) {
				best, rank = i, m.rank
			}
		}
		if best < 0 {
			return parts
		}
		parts = slices.Replace(parts, best, best+2, parts[best]+parts[best+1])
	}
}

func TestBPEAgreesWithNaive(t *testing.T) {
	tok := fixture(t, "roberta")
	b := tok.model.(*bpe)
	words := []string{"Ġthe", "rrrrrrrr", "ererererer"}
	for _, text := range lines[string](t, "testdata/sentences.jsonl") {
		words = append(words, tok.Words(text)...)
	}
	joined := 0
	for _, word := range words {
		var want []int32
		for _, part := range naiveBPE(b, word) {
			if id, ok := tok.ID(part); ok {
				want = append(want, id)
			}
			if utf8.RuneCountInString(part) > 1 {
				joined++
			}
		}
		if got := tok.AppendWord(nil, word); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", word, names(tok, got), names(tok, want))
		}
	}
	if joined == 0 {
		t.Error("nothing was joined")
	}
}

// TestReplaceAgreesWithNaive compares many replacements in one pass with the same
// replacements one after the other.
func TestReplaceAgreesWithNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	alphabet := []rune("abcdeςσΣжя日𐍈\u0301 ")
	pick := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	fused, refused := 0, 0
	for range 300 {
		var list []normalizer
		for range 2 + random.IntN(40) {
			// Some cannot be fused, some make the text longer.
			old, content := 1, random.IntN(2)
			if random.IntN(8) == 0 {
				old = random.IntN(4)
			}
			if random.IntN(8) == 0 {
				content = 2
			}
			if old == 0 {
				content = 0
			}
			list = append(list, replaceString{pick(old), pick(content)})
		}
		one, err := fuse(list)
		if err != nil {
			refused++
			continue
		}
		if len(one) < len(list) {
			fused++
		}
		for range 30 {
			text := pick(random.IntN(12))
			if got, want := one.normalize(text), normalizers(list).normalize(text); got != want {
				t.Fatalf("%q: got %q, want %q", text, got, want)
			}
		}
	}
	if fused < 200 || refused > 50 {
		t.Errorf("%d of 300 lists were fused and %d refused", fused, refused)
	}
}

func TestReplaceGrowth(t *testing.T) {
	var list []normalizer
	for range 100 {
		list = append(list, replaceString{"a", "aa"})
	}
	if _, err := fuse(list); err == nil {
		t.Error("a letter that becomes 2^100 letters is not refused")
	}
}

// TestTrieAgreesWithNaive compares the double array with a map.
func TestTrieAgreesWithNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		known := map[string]int32{}
		var keys []string
		var values []int32
		for i := range random.IntN(400) {
			b := make([]byte, random.IntN(7))
			for j := range b {
				b[j] = byte(random.IntN(1 + random.IntN(256)))
			}
			keys, values = append(keys, string(b)), append(values, int32(i))
			if len(b) > 0 {
				known[string(b)] = int32(i)
			}
		}
		built, err := trie.New(keys, values)
		if err != nil {
			t.Fatal(err)
		}
		find := func(key string) int32 {
			if state, ok := built.Walk(key); ok {
				return built.Nodes[state].Value
			}
			return -1
		}
		for key, want := range known {
			if got := find(key); got != want {
				t.Fatalf("%q: got %d, want %d", key, got, want)
			}
			for i := range key {
				if want, ok := known[key[:i]]; ok != (find(key[:i]) >= 0) || ok && want != find(key[:i]) {
					t.Fatalf("%q, prefix of %q: got %d", key[:i], key, find(key[:i]))
				}
			}
			if _, ok := known[key+"\x00"]; !ok && find(key+"\x00") >= 0 {
				t.Fatalf("%q with a zero is found", key)
			}
		}
	}
}
