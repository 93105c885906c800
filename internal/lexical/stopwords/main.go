// Command stopwords writes internal/lexical/stopwords.txt from two published
// collections of stop word lists:
//
//   - the Snowball and Lucene lists that bleve carries (analysis/lang);
//   - stopwords-iso (npm package stopwords-iso, MIT), for languages that bleve
//     lacks and where that collection is clean and of moderate length.
//
// It adds added.txt: frequent function words that these lack, such as Ukrainian "в" and
// Romanian "și". Both collections are given as folders on disk:
//
//	go mod download github.com/blevesearch/bleve/v2@v2.5.0
//	npm pack stopwords-iso@1.1.0 && tar xzf stopwords-iso-1.1.0.tgz
//	go run ./internal/lexical/stopwords \
//	    -bleve "$(go env GOMODCACHE)/github.com/blevesearch/bleve/v2@v2.5.0" \
//	    -iso package -out internal/lexical/stopwords.txt
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fromBleve and fromISO say which list each language takes: the languages with
// a background table and their neighbours. Left out are lists of stopwords-iso
// that are word frequencies of one newspaper (ms), in a broken encoding (lt) or
// very long (br), and Korean, whose list of words says little about pairs of
// syllables (measured: none is better).
var (
	fromBleve = []string{
		"ar", "bg", "ca", "da", "de", "el", "en", "es", "fa", "fi", "fr",
		"gl", "hi", "hr", "hu", "id", "it", "nl", "no", "pl", "pt", "ro",
		"ru", "sv", "tr",
	}
	fromISO = []string{"cs", "et", "he", "ja", "lv", "sk", "sl", "th", "uk", "vi", "zh"}
)

// added has a language a line.
//
//go:embed added.txt
var added string

// dropped are entries that carry meaning: numerals and units of time that
// would silence dates, words of the web page a list was counted on, and
// characters that are rarely function words.
var dropped = map[string]string{
	"cs": "článek článku články clanek clanku clanky strana téma tema zprávy zpravy email den tisíc tisíce",
	"zh": "二 三 四 五 六 七 八 九 年 月 日 时 大 小 巴 望 朝 光 儿 零 人 打 腾",
	"th": "กล่าว วัน เปิด เปิดเผย พบ ผล ราย",
	"vi": "năm tháng người cha anh em con chuyện cây nhà",
}

// traditional replaces the characters of the Chinese list, which is in
// simplified characters, that have another traditional form.
var traditional = strings.NewReplacer(
	"个", "個", "临", "臨", "为", "為", "么", "麼", "们", "們", "从", "從", "会", "會",
	"傥", "儻", "关", "關", "兴", "興", "况", "況", "几", "幾", "凭", "憑", "则", "則",
	"别", "別", "单", "單", "却", "卻", "后", "後", "吓", "嚇", "吗", "嗎",
	"吨", "噸", "呕", "嘔", "呜", "嗚", "响", "響", "哗", "嘩", "喽", "嘍", "嗳", "噯",
	"处", "處", "头", "頭", "实", "實", "对", "對", "将", "將", "尔", "爾", "尽", "盡",
	"岂", "豈", "并", "並", "归", "歸", "当", "當", "彻", "徹", "总", "總", "据", "據",
	"无", "無", "时", "時", "显", "顯", "来", "來", "极", "極", "样", "樣", "毕", "畢",
	"点", "點", "着", "著", "离", "離", "种", "種", "称", "稱", "竞", "競",
	"类", "類", "纵", "縱", "经", "經", "结", "結", "给", "給", "继", "繼", "罢", "罷",
	"腾", "騰", "虽", "雖", "认", "認", "让", "讓", "许", "許", "论", "論", "设", "設",
	"诚", "誠", "该", "該", "说", "說", "诸", "諸", "谁", "誰", "请", "請", "谓", "謂",
	"贼", "賊", "赖", "賴", "赶", "趕", "较", "較", "边", "邊", "过", "過",
	"还", "還", "这", "這", "进", "進", "连", "連", "适", "適", "针", "針",
	"随", "隨", "顺", "順", "须", "須", "鉴", "鑒", "问", "問", "间", "間",
	"现", "現", "确", "確", "开", "開", "两", "兩", "东", "東", "万", "萬", "与", "與",
	"于", "於", "里", "裡", "体", "體", "独", "獨", "态", "態", "终", "終",
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("stopwords: ")
	bleve := flag.String("bleve", "", "folder of the module github.com/blevesearch/bleve/v2")
	iso := flag.String("iso", "", "folder of the npm package stopwords-iso")
	out := flag.String("out", "internal/lexical/stopwords.txt", "file to write")
	flag.Parse()
	if err := run(*bleve, *iso, *out); err != nil {
		log.Fatal(err)
	}
}

func run(bleve, iso, out string) error {
	lists := map[string][]string{}
	for _, tag := range fromBleve {
		words, err := readBleve(filepath.Join(bleve, "analysis", "lang", tag, "stop_words_"+tag+".go"))
		if err != nil {
			return err
		}
		lists[tag] = words
	}
	all, err := readISO(filepath.Join(iso, "stopwords-iso.json"))
	if err != nil {
		return err
	}
	for _, tag := range fromISO {
		words, ok := all[tag]
		if !ok {
			return fmt.Errorf("stopwords-iso has no list for %q", tag)
		}
		lists[tag] = words
	}

	for line := range strings.Lines(added) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			lists[fields[0]] = append(lists[fields[0]], fields[1:]...)
		}
	}

	tags := make([]string, 0, len(lists))
	for tag := range lists {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	var b strings.Builder
	b.WriteString("# Stop words, a language a line. Written by internal/lexical/stopwords; origin and\n" +
		"# licences in DATA.md. Do not edit: change the program instead.\n")
	for _, tag := range tags {
		words := clean(tag, lists[tag])
		if len(words) == 0 {
			return fmt.Errorf("the list for %q is empty", tag)
		}
		fmt.Fprintf(&b, "%s %s\n", tag, strings.Join(words, " "))
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// readBleve takes the words out of the raw string literal of one of bleve's
// Go files. "|" and "#" start a comment.
func readBleve(path string) ([]string, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, body, ok := strings.Cut(string(src), "[]byte(`")
	if !ok {
		return nil, fmt.Errorf("%s: no []byte(`…`) in it", path)
	}
	body, _, ok = strings.Cut(body, "`)")
	if !ok {
		return nil, fmt.Errorf("%s: the string does not end", path)
	}
	var words []string
	for line := range strings.Lines(body) {
		if i := strings.IndexAny(line, "|#"); i >= 0 {
			line = line[:i]
		}
		words = append(words, strings.Fields(line)...)
	}
	return words, nil
}

func readISO(path string) (map[string][]string, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all map[string][]string
	if err := json.Unmarshal(src, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// clean sorts the list and drops repeats, entries of several words, entries
// without a letter and the dropped ones. Chinese entries of more than two
// characters are of no use to an analysis in character bigrams.
func clean(tag string, words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		w = strings.ToLower(w)
		switch {
		case strings.ContainsAny(w, " \t\u3000"),
			!strings.ContainsFunc(w, letter),
			slices.Contains(strings.Fields(dropped[tag]), w),
			tag == "zh" && utf8.RuneCountInString(w) > 2:
			continue
		}
		out = append(out, w)
		if tag == "zh" {
			out = append(out, traditional.Replace(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// letter also rejects the full-width forms of ASCII, which are punctuation
// and digits in these lists.
func letter(r rune) bool {
	return unicode.IsLetter(r) && (r < 0xFF00 || r > 0xFFEF)
}
