package tokenizer

// vocabulary maps tokens to ids and back.
type vocabulary struct {
	tokens []string         // by id; "" for unused ids
	ids    map[string]int32 // of the model's tokens and of the added ones
	added  map[string]int32 // of added tokens, as written and as normalized: they come first
}

// id returns the id of a token produced by the model.
func (v *vocabulary) id(token string) (int32, bool) {
	if id, ok := v.added[token]; ok {
		return id, true
	}
	id, ok := v.ids[token]
	return id, ok
}

// set assigns an id and extends the list of tokens as needed.
func (v *vocabulary) set(id int32, token string) {
	for int(id) >= len(v.tokens) {
		v.tokens = append(v.tokens, "")
	}
	v.tokens[id] = token
}

// model converts the words (pre-tokens) of one stretch of text to ids.
type model interface {
	encode(dst []int32, words []string) []int32
}

// unknowns merges unknown text: neighbouring unknown pieces, in one word or several,
// become one unknown token. The reference concatenates them into one string and then
// looks it up, so that two unknown letters may together form a known token; so does
// this.
type unknowns struct {
	vocabulary *vocabulary
	id         int32           // of the unknown token
	names      map[string]bool // the tokens that have its id
	longest    int             // bytes of the longest of them
}

func newUnknowns(v *vocabulary, id int32) *unknowns {
	u := &unknowns{vocabulary: v, id: id, names: map[string]bool{}}
	for token, other := range v.ids {
		if other == id {
			u.names[token] = true
			u.longest = max(u.longest, len(token))
		}
	}
	return u
}

// add appends a piece to the pending unknown text; open reports whether there is any.
// Text that already is the unknown token is not extended.
func (u *unknowns) add(pending []byte, piece string, open bool) []byte {
	if open && len(pending) <= u.longest && u.names[string(pending)] {
		return pending
	}
	return append(pending, piece...)
}

// flush appends the id of unknown text.
func (u *unknowns) flush(dst []int32, pending []byte) []int32 {
	if id, ok := u.vocabulary.added[string(pending)]; ok {
		return append(dst, id)
	}
	if id, ok := u.vocabulary.ids[string(pending)]; ok {
		return append(dst, id)
	}
	return append(dst, u.id)
}

// collapse merges consecutive ids of the unknown token, from start on, into one.
func collapse(ids []int32, start int, unk int32) []int32 {
	kept := ids[:start]
	for i, id := range ids[start:] {
		if i > 0 && id == unk && kept[len(kept)-1] == unk {
			continue
		}
		kept = append(kept, id)
	}
	return kept
}
