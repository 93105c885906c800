package lexical

import (
	"strings"
	"sync"
)

// compositions holds, for each combining mark, pairs of a lower-case letter
// and the letter that Unicode composes of the two (normalization form C, Latin
// and Cyrillic). Text from some systems is decomposed; stop words, stemmers
// and the background table are composed. A dot above i or ı is dropped, since İ
// in lower case decomposes to it.
var compositions = [...]struct {
	mark  rune
	pairs string
}{
	{0x0300, "aàeèiìoòuùüǜnǹеѐиѝēḕōṑwẁâầăằêềôồơờưừyỳ"},
	{0x0301, "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿгѓкќçḉēḗïḯkḱmḿõṍōṓpṕũṹwẃâấăắêếôốơớưứ"},
	{0x0302, "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"},
	{0x0303, "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"},
	{0x0304, "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳиӣуӯgḡḷḹṛṝ"},
	{0x0306, "aăeĕgğiĭoŏuŭийуўжӂаӑеӗȩḝạặ"},
	{0x0307, "iiıicċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"},
	{0x0308, "aäeëiïoöuüyÿеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹhḧõṏūṻwẅxẍtẗ"},
	{0x0309, "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"},
	{0x030a, "aåuůwẘyẙ"},
	{0x030b, "oőuűуӳ"},
	{0x030c, "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"},
	{0x030f, "aȁeȅiȉoȍrȑuȕѵѷ"},
	{0x0311, "aȃeȇiȋoȏrȓuȗ"},
	{0x031b, "oơuư"},
	{0x0323, "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"},
	{0x0324, "uṳ"},
	{0x0325, "aḁ"},
	{0x0326, "sștț"},
	{0x0327, "cçgģkķlļnņrŗsştţeȩdḑhḩ"},
	{0x0328, "aąeęiįuųoǫ"},
	{0x032d, "dḓeḙlḽnṋtṱuṷ"},
	{0x032e, "hḫ"},
	{0x0330, "eḛiḭuṵ"},
	{0x0331, "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"},
}

var composed = sync.OnceValue(func() map[[2]rune]rune {
	m := map[[2]rune]rune{}
	for _, c := range compositions {
		for s := strings.NewReader(c.pairs); s.Len() > 0; {
			letter, _, _ := s.ReadRune()
			whole, _, _ := s.ReadRune()
			m[[2]rune{letter, c.mark}] = whole
		}
	}
	return m
})

// compose returns the composition of a letter and a mark, or -1.
func compose(letter, mark rune) rune {
	if c, ok := composed()[[2]rune{letter, mark}]; ok {
		return c
	}
	return -1
}
