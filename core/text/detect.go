package text

// Detect gives the ISO 639-1 tag of the language that most of doc is in, or
// "" where there is too little text to tell.
func Detect(doc string) string {
	return detectScript(doc)
}

// Languages lists the tags that [Detect] can give, in alphabetical order.
func Languages() []string {
	return []string{"el", "en", "he", "hi", "ja", "ko", "ru", "th", "zh"}
}
