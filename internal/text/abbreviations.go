package text

// language is what the splitter knows about one language. Words are in lower case,
// separated by spaces, without their last full stop: "z.b" is both "z.B." and
// "z. B.". Those with a capital are abbreviations only if capitalized, whatever the
// word in lower case is: "Sec. Jones", "sec. 5".
type language struct {
	tag string
	// prefix abbreviations precede something: "Dr." never ends a sentence unless at
	// its very end.
	prefix string
	// number abbreviations precede a number or a letter ("No. 7", "Jan. 5") and are
	// ordinary words elsewhere ("No. He left.").
	number string
	// ending abbreviations may end a sentence, but names may follow them: only a
	// starter begins a new one ("Apple Inc. Shares", "in the U.S. He").
	ending string
	// final abbreviations end the sentence before any capital ("usw.", "т. д.").
	final string
	// letters are words of one small letter; other single letters are abbreviations.
	letters string
	// era abbreviations end the sentence before a capital, unless it has barely
	// started ("Um 72 v. Chr. Rom …").
	era string
	// starters are function words that indicate the start of a sentence when
	// capitalized.
	starters string
	// months, where ordinals are written with a full stop: "5. Mai".
	months string
	// ordinals is how numbers with a full stop are read.
	ordinals ordinals
	// elision means that words are joined to others by an apostrophe (l'art.).
	elision bool
}

// ordinals is what a full stop after a number can mean in a language.
type ordinals uint8

const (
	noOrdinals ordinals = iota
	// ordinalsBeforeSmall: "5. května"; a capital begins a sentence.
	ordinalsBeforeSmall
	// ordinalsBeforeCapitals: "2. Weltkrieg".
	ordinalsBeforeCapitals
	// datesOnly: "2016. 5. 3."
	datesOnly
)

// common entries apply to every language: names and titles travel.
var common = language{
	prefix: "mr mrs ms dr prof st mme mlle mgr ca Sen Sens Rep Reps Gov Rev Hon Gen Col Lt Sgt Capt Cmdr Adm Maj e.g i.e cf vs",
	number: "no nos nr vol fig pp p art ch sec",
	ending: "jr sr inc ltd Corp Co Bros u.s u.k u.n e.u ph.d m.d b.a m.a al plc llc s.a s.p.a s.r.l n.v",
	final:  "etc",
}

// languages are the rules by their ISO 639-1 tags. A slice, as a map would be filled by code
// that makes the page's program larger.
var languages = []language{
	{
		tag:      "en",
		prefix:   "mr mrs ms messrs dr drs prof rev fr hon gov sen sens rep reps gen lt col maj capt cpt cmdr adm sgt pvt cpl brig insp supt pres det mt ft e.g i.e cf vs viz approx esp asst assoc attn ca incl ste Sec secy Amb atty spc pfc ssgt msgt sfc cdr Con Pub",
		number:   "no nos nr vol vols fig figs p pp par art arts ch chap sec sect eq eqs ex para pt app div op jan feb mar apr jun jul aug sep sept oct nov dec Mon tue tues Wed thu thurs fri Sat Sun rm flt S Res Amdt Rept Doc Cong Sess Stat Supp Cir p.l s.res h.res s.con.res h.con.res s.j.res h.j.res v",
		ending:   "jr sr esq inc ltd corp co cos bros u.s u.s.a u.k u.n e.u u.s.s.r d.c l.a n.y ph.d m.d b.a m.a b.sc m.sc j.d d.d.s r.n al plc llc st ave blvd rd ln sq hwy bldg mfg dept univ assn intl natl govt est ed eds cal calif conn Ill Mass Mich minn Miss Mo Mont Neb Nev okla Ore Pa tenn Tex Va vt Wash wis wyo fla Ga Ala ariz Ark colo Del Ind Kan Ky La Md n.c n.d n.h n.j n.m r.i s.c s.d w.va b.c a.d b.c.e c.e",
		final:    "etc a.m p.m",
		starters: "the a an he she it they we you i this that these those there here in on at by for from with as but and or nor if when whenever while after before since although though however his her its their our my your what who whom whose why how where which not some many most all both each every one two three another other others such so then now yet also according under during until till because despite among between over more moreover meanwhile instead once only even just still perhaps maybe is are was were do does did has have had will would can could should may might let to of about above across against along around near through throughout within without several few much nothing something someone everyone nobody today yesterday tomorrow later earlier first second finally",
	},
	{
		tag:      "es",
		prefix:   "sr sra srta sres sras dr dra dres prof profa lic ing arq gral cnel cap tte sgto d dña fr sto sta p.ej p.e v.g ee av avda c.f cf excmo excma ilmo mons rvdo pbro aprox depto dpto edo pdte ej Rr Ff Cc Aa",
		number:   "n núm nº no nro pág págs p pp art arts vol fig tomo t ap párr km ene feb mar abr jun jul ago sept set oct nov dic",
		ending:   "ee.uu ee.uu.a ud uds vd vds jr s.a s.l c.v s.s a.m p.m cía hnos ltda ph.d ed eds i.e ss.mm rr.hh",
		final:    "etc",
		era:      "a.c d.c",
		starters: "el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella en de del al a con por para sin sobre según desde hasta entre tras durante y e o u ni pero mas sino si no cuando mientras aunque porque como donde que quien se su sus mi tu nuestro yo él ella ellos ellas nosotros usted ustedes es son fue era ha han hay también además embargo así entonces luego después antes ahora hoy ayer ya muy más todo todos toda todas cada otro otra otros algunos muchos ninguno ninguna",
	},
	{
		tag:      "pt",
		letters:  "é",
		prefix:   "sr sra srs sras srta dr dra drs prof profa eng arq gen cel cap ten sgt d fr sto sta v.ex.a v.exa p.ex av r pça exmo exma ilmo pe mons aprox depto dep des min me",
		number:   "n nº núm no pág págs p pp art arts vol fig tel inc séc jan fev mar abr mai jun jul ago set out nov dez",
		ending:   "jr ltda s.a s.a.r.l cia e.u.a eua a.m p.m ph.d ed eds c.p",
		final:    "etc",
		era:      "a.c d.c",
		starters: "o a os as um uma uns umas este esta estes estas esse essa esses essas aquele aquela isto isso em no na nos nas de do da dos das ao à com por pelo pela para sem sobre segundo desde até entre após durante e ou nem mas se não quando enquanto embora porque como onde que quem seu sua seus suas meu minha nosso eu ele ela eles elas nós você vocês é são foi era há também além assim então depois antes agora hoje ontem já muito mais todo todos toda todas cada outro outra alguns muitos",
	},
	{
		tag:      "fr",
		letters:  "y",
		prefix:   "m mm mme mmes mlle mlles mgr Me Mes dr drs pr prof Gal Col cdt Cap lt st ste cf p.ex env av bd boul Pl",
		number:   "n no nos nº art arts p pp pag vol t fig chap ch sect al janv févr fév avr juil sept oct nov déc tél",
		ending:   "j.-c s.a s.a.r.l cie jr éd éds coll ex ang ph.d u.e o.n.u u.s a.m p.m",
		final:    "etc apr",
		starters: "le la les l un une des du de d ce cet cette ces il elle ils elles on nous vous je tu en dans sur sous à au aux avec par pour sans selon depuis entre après avant pendant et ou ni mais car donc or si ne non quand lorsque tandis bien comme où que qui quoi dont son sa ses leur leurs mon notre votre c est sont était a ont y aussi ainsi alors ensuite puis cependant toutefois maintenant aujourd hier demain plus très tout tous toute toutes chaque plusieurs certains beaucoup",
		elision:  true,
	},
	{
		tag:      "it",
		letters:  "è",
		prefix:   "sig sigg sig.ra sig.na sra dott dott.ssa dr dr.ssa prof prof.ssa avv ing arch geom rag On Sen col ten mons p.es ad.es es s ss cfr v.le c.so p.za p.zza l.go egr gent spett",
		number:   "n nn nr num pag pagg p pp art artt cap capp vol voll fig tel sez gen feb mar apr mag giu lug ago set sett ott nov dic",
		ending:   "s.p.a s.r.l s.a jr u.s ph.d ed eds c.a",
		final:    "ecc etc",
		era:      "a.c d.c",
		starters: "il lo la i gli le l un uno una questo questa questi queste quello quella quelli in nel nella nei nelle nello di del della dei delle degli a al alla ai alle da dal dalla con per su sul sulla sulle tra fra senza secondo dopo prima durante e ed o né ma se non quando mentre anche sebbene perché come dove che chi suo sua suoi loro mio nostro io lui lei egli essa noi voi è sono era ha hanno c ci si inoltre così allora poi quindi tuttavia ora oggi ieri già più molto tutto tutti tutta tutte ogni altri alcuni molti",
		elision:  true,
	},
	{
		tag:      "ca",
		prefix:   "sr sra srs dr dra drs prof st sta p.ex av c pl ctra gral mn aprox",
		number:   "n núm nre pàg pàgs p pp art arts cap vol fig tel gen febr març abr jul ag set oct nov des",
		ending:   "ee.uu s.a s.l jr ed eds",
		final:    "etc",
		era:      "a.c d.c",
		starters: "el la els les l un una uns unes aquest aquesta aquests aquestes en al als a amb per sense sobre segons des fins entre després durant i o ni però sinó si no quan mentre encara perquè com on que qui es s hi seu seva seus jo ell ella ells elles nosaltres és són va ha han també així llavors ara avui ahir ja molt més tot tots tota cada altres alguns molts",
		elision:  true,
	},
	{
		tag:      "ro",
		prefix:   "dl dna dr prof ing av acad gen col cpt lt sf str bd p.ex ex",
		number:   "nr art alin pag p pp vol fig cap sec ian feb mar apr iun iul aug sept oct nov dec tel",
		ending:   "s.a s.r.l jr î.hr d.hr î.e.n e.n ș.a ş.a ed",
		final:    "etc ș.a.m.d ş.a.m.d",
		starters: "el ea ei ele eu noi voi un o unii unele acest această acești aceşti aceste acel acea în din de la pe cu prin pentru fără despre după între până spre și şi sau nici dar însă ci dacă nu când deși că cum unde care cine ce se își sa său lui lor este sunt era a au fost avea asemenea astfel atunci apoi acum astăzi ieri mai foarte tot toți toţi toate fiecare alți alţi mulți mulţi",
	},
	{
		tag:      "de",
		prefix:   "v n Hr Fr frl dr dres prof dipl ing dipl.-ing mag st z.b z.t z.zt d.h u.u i.d.r i.a i.e s.o s.u sog sogen bzw ca vgl evtl ggf inkl exkl einschl insb insbes bspw max min verh geb gest gegr allg ehem eigtl ev röm kath urspr amtl bes betr gem hl jew mind näml Abg Parl österr schweiz dt engl frz griech lat russ mio mrd tsd rd o.g i.v a.d v.a m.e u.a",
		number:   "nr nrn art abs s p bd bde kap abb tab fig ziff aufl hrsg jg str tel §",
		ending:   "u.ä o.ä u.s usa jr co e.v ltd jh jhd std usf",
		final:    "usw etc u.s.w",
		era:      "v.chr n.chr",
		starters: "der die das den dem des ein eine einer einem einen er sie es wir ihr ich man dies diese dieser dieses diesen jener jene in im ins an am auf aus bei beim mit nach seit von vom zu zum zur für durch gegen ohne um über unter vor während wegen trotz zwischen und oder aber denn doch sondern wenn als ob weil da dass obwohl nachdem bevor bis wie wo was wer warum sein seine seiner ihre ihrer unser mein nicht kein keine auch so dann danach dabei damit dadurch dafür daher deshalb jedoch nun jetzt heute gestern morgen hier dort noch nur schon bereits sehr alle alles viele einige andere jeder jede ist sind war waren hat haben wird wurde wurden kann zudem außerdem später laut",
		months:   "januar jänner februar märz april mai juni juli august september oktober november dezember jan feb apr jun jul aug sep sept okt nov dez jahrhundert jahrhunderts jahrhunderte jh",
		ordinals: ordinalsBeforeCapitals,
	},
	{
		tag:      "nl",
		prefix:   "dhr mevr mw mej dr drs prof ing ir mr bc st ds pr gen kol kapt lt bijv d.w.z o.a m.b.v t.a.v i.p.v t.o.v m.b.t i.v.m o.l.v n.a.v z.g zgn ca vgl evt incl excl resp max min mln mld",
		number:   "nr nrs art p pp blz pag vol fig hfst bd jan feb febr mrt apr jun jul aug sept okt nov dec tel",
		ending:   "v.chr n.chr b.v n.v v.d jr sr u.s e.d c.s z.k.h",
		final:    "enz etc e.a m.a.w",
		starters: "de het een deze dit die dat er hij zij ze wij we je jij u ik men in op aan bij met van voor naar uit om over onder tegen tot tussen door na sinds tijdens volgens zonder en of maar want dus als toen terwijl omdat hoewel nadat voordat wanneer hoe waar wat wie waarom zijn haar hun ons mijn niet geen ook dan daarna daarom echter toch nu vandaag gisteren hier daar nog al zeer alle veel enkele andere elke ieder is was waren heeft hebben had wordt werd kan",
	},
	{
		tag:      "sv",
		prefix:   "dr prof hr fr doc st t.ex bl.a d.v.s dvs fr.o.m t.o.m s.k p.g.a ca jfr resp inkl exkl max min kungl mag f.d m.fl.a milj mdr",
		number:   "nr s p art kap vol fig bd jan febr feb apr aug sept okt nov dec kl tel",
		ending:   "jr u.s a.b",
		final:    "etc osv o.s.v m.m m.fl o.d",
		era:      "f.kr e.kr",
		starters: "den det de en ett han hon vi ni du jag man denna detta dessa i på av för med till från om under över efter före vid mellan mot utan enligt sedan och eller men så när medan eftersom trots att som hur vad vem varför hans hennes dess deras sin vår min inte ingen också då därefter därför dock nu idag igår här där än alla många några andra varje är var har hade blev kan ska",
	},
	{
		tag:      "da",
		prefix:   "hr fr dr prof sct skt f.eks bl.a d.v.s dvs ca jf jfr inkl ekskl max min pga p.g.a mht mio mia sml iflg vedr vha",
		number:   "nr s p art kap bd fig stk jan feb apr jun jul aug sept sep okt nov dec kl tlf pr rev",
		ending:   "jr u.s a/s",
		final:    "etc osv o.s.v mv m.v mm m.m o.l m.fl",
		era:      "f.kr e.kr",
		starters: "den det de en et han hun vi i du jeg man denne dette disse på af for med til fra om under over efter før ved mellem mod uden ifølge siden og eller men så hvis når mens fordi selvom som hvordan hvor hvad hvem hvorfor hans hendes dens deres sin vores min ikke ingen også da derefter derfor dog nu her der alle mange nogle andre hver er var har havde blev kan skal",
		months:   "januar februar marts april maj juni juli august september oktober november december",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "nb",
		prefix:   "hr fr dr prof st f.eks bl.a d.v.s dvs ca jf jfr inkl ekskl maks min pga p.g.a mht mill mrd ev iht",
		number:   "nr s p art kap bd fig jan feb apr jun jul aug sept sep okt nov des kl tlf",
		ending:   "jr u.s",
		final:    "etc osv o.s.v mv m.v mm m.m m.fl",
		era:      "f.kr e.kr",
		starters: "den det de en et ei han hun vi dere du jeg man denne dette disse i på av for med til fra om under over etter før ved mellom mot uten ifølge siden og eller men så hvis når mens fordi selv som hvordan hvor hva hvem hvorfor hans hennes dens deres sin vår min ikke ingen også da deretter derfor imidlertid nå her der alle mange noen andre hver er var har hadde ble kan skal",
		months:   "januar februar mars april mai juni juli august september oktober november desember",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "pl",
		prefix:   "pp dr hab prof mgr inż ks św gen płk kpt por mjr abp bp im m.in np tzn tzw tj ul al pl os ok ww ds woj pow gm red zob wg jw ob m.st ang dosł",
		number:   "nr nry s str t tom rozdz poz art ust pkt lit rys tab tel r.a",
		ending:   "sp.z.o.o s.a j.w tys mln mld proc godz min sek zł gr ur zm o.o z.o.o",
		final:    "itd itp i.t.d i.t.p in",
		era:      "n.e p.n.e",
		starters: "w we na z ze do od dla po przed przy pod nad za o u przez między bez według podczas i oraz a ale lecz lub albo jednak więc jeśli jeżeli gdy kiedy ponieważ chociaż choć że żeby jak gdzie co kto dlaczego który która które to ten ta te tego tej tych ja ty on ona ono my wy oni one jego jej ich się nie tak tam tu też także również już jeszcze tylko potem następnie teraz dziś wczoraj był była było były jest są został została można wszyscy wiele niektóre inne każdy",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "cs",
		prefix:   "p pí sl dr prof doc ing mgr bc judr mudr phdr rndr csc.a gen plk kpt por sv tzv tzn tj např mj m.j vč cca resp ev popř příp hl zvl pozn srov viz kol nám ul tř čes angl něm fr lat",
		number:   "č čís s str kap obr tab odst písm čl roč tel",
		ending:   "s.r.o a.s ph.d csc drsc jr st ml mil mld tis kč hod min",
		final:    "atd apod aj atp",
		era:      "n.l př.n.l př.kr po.kr",
		starters: "v ve na z ze do od pro po před při pod nad za o u přes mezi bez podle během i a ale nebo však tak jestliže pokud když protože ačkoli že aby jak kde co kdo proč který která které to ten ta ti ty toho této těchto já on ona ono my vy oni jeho její jejich se si ne tam tady také již už ještě jen jenom potom pak nyní teraz dnes včera byl byla bylo byli je jsou bude může všichni mnoho někteří jiné každý s k",
		months:   "ledna února března dubna května června července srpna září října listopadu prosince",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "hu",
		prefix:   "dr ifj özv id gr br prof szt pl ún ui kb ill vö u.n p.l",
		number:   "sz old o p fej ábra tel",
		ending:   "kft rt zrt nyrt bt jr st ált",
		final:    "stb",
		era:      "kr.e kr.u i.e i.sz",
		starters: "a az egy ez ezek azok ő ők én te mi ti és vagy de hanem ha amikor míg mert mivel bár hogy hol ki miért hogyan nem is csak még már most ma tegnap itt ott így úgy azonban majd után minden sok néhány más volt van lesz szerint",
		months:   "január február március április május június július augusztus szeptember október november december",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "fi",
		prefix:   "tri prof esim ns ts ks vrt fil dos hra rva mm engl",
		number:   "nro n:o s ss luku kuva puh klo",
		ending:   "oy ab jr milj mrd",
		final:    "jne ym yms tms",
		era:      "eaa jaa ekr jkr e.kr j.kr",
		starters: "hän he se ne tämä nämä minä sinä me te ja tai mutta vaan jos kun koska vaikka että missä mikä kuka miksi miten ei myös vain vielä jo nyt tänään eilen siellä täällä niin sitten kuitenkin lisäksi kaikki monet jotkut muut oli on ovat olivat jotka joka",
		months:   "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
		ordinals: ordinalsBeforeSmall,
	},
	{
		tag:      "tr",
		letters:  "o",
		prefix:   "dr prof doç yrd ör Av müh mim alb yzb tğm gen org korg hz sn sok cad mah apt bkz krş örn çev haz yay st ord öğr gör",
		number:   "no nr s ss sf c cilt md fık böl şek tel",
		ending:   "a.ş ltd şti jr vd",
		final:    "vb vs v.b v.s",
		starters: "bu bir o şu ben sen biz siz onlar ve veya ya ama ancak fakat çünkü eğer ise ki ne nasıl neden nerede kim hangi değil de da hem her bazı birçok çok daha en sonra önce şimdi bugün dün burada orada böyle şöyle ayrıca bunun onun bunlar diğer ilk iki üç ile için gibi göre kadar yine hala sadece bütün tüm",
		months:   "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
		ordinals: ordinalsBeforeCapitals,
	},
	{
		tag:      "ru",
		prefix:   "т.е т.к т.н т.о г-н г-жа проф акад доц к.т.н д.т.н ген полк кап лейт ул просп пер наб пл обл р-н пос дер св о-в оз ср см напр англ нем фр лат греч исп ит яп кит букв род ум прибл ок свящ митр архиеп еп гр зам нач инж ред изд в.т.ч",
		number:   "№ пп ст стр гл рис табл кн вып кв корп тел",
		ending:   "тыс млн млрд трлн руб коп долл экз чел кг км мм мин сек и.о им ж.д",
		final:    "т.д т.п др пр гг вв и.т.д и.т.п",
		era:      "н.э р.х",
		starters: "в во на с со к ко о об от до из за по под над при про через между без для у и а но или да же если когда пока хотя потому поэтому что чтобы как где куда кто почему который которая которые это этот эта эти того той тех тот та те я ты он она оно мы вы они его её ее их мой наш свой не ни так там тут здесь также тоже уже ещё еще только лишь потом затем сейчас теперь сегодня вчера завтра был была было были есть будет может однако кроме после перед все всё многие некоторые другие каждый согласно",
	},
	{
		tag:      "uk",
		prefix:   "т.зв т.е п проф акад доц ген полк ім вул пр просп пров пл обл р-н о-в св ред вид напр див пор англ нім фр лат гр зокр",
		number:   "№ пп ст стор гл рис табл вип буд кв тел",
		ending:   "тис млн млрд грн коп дол крб прим осіб кг км мм см хв",
		final:    "т.д т.п ін рр і.т.д і.т.п",
		era:      "н.е",
		starters: "в у на з із зі до від для по під над при про через між без за о об і й та а але або чи якщо коли поки хоча тому що щоб як де куди хто чому який яка які це цей ця ці того тієї тих той ті я ти він вона воно ми ви вони його її їх мій наш свій не ні так там тут також теж уже вже ще тільки лише потім потому зараз тепер сьогодні вчора був була було були є буде може однак проте крім після перед всі все багато деякі інші кожен згідно",
	},
	{
		tag:      "bg",
		letters:  "й ѝ",
		prefix:   "т.е т.нар напр проф доц акад д-р инж ген полк кап св ул бул пл обл вж ср гр г-н г-жа",
		number:   "№ стр чл ал гл бр рис табл тел",
		ending:   "хил млн млрд лв ст чл.кор",
		final:    "т.н др и.т.н",
		era:      "пр.хр сл.хр н.е",
		starters: "в във на с със от до за по при под над без между през след преди около и а но или че ако когато докато макар защото да как къде кой коя кое кои какво защо това този тази тези той тя то ние вие те аз ти негов неговата му се не също така тук там вече още само после сега днес вчера беше бяха е са ще може обаче всички много някои други всеки според",
	},
	{
		tag:      "el",
		prefix:   "κ κα κος κ.κ δρ καθ π.χ δηλ βλ πρβλ αγ στρ οδ λεωφ λ.χ",
		number:   "αρ αριθ σ σελ τ τόμ κεφ εικ πίν άρθρ παρ τηλ",
		ending:   "π.μ μ.μ α.ε ε.ε ο.ε εκ δισ χιλ",
		final:    "κ.λπ κλπ κ.ά κ.ο.κ κτλ",
		era:      "μ.χ π.χρ",
		starters: "ο η το οι τα του της των τον την τους τις ένας μια ένα αυτός αυτή αυτό αυτοί αυτές αυτά στο στη στην στον στα στις στους σε από με για χωρίς κατά μετά πριν μέχρι και ή αλλά όμως αν όταν ενώ επειδή διότι ότι πως που πού τι ποιος γιατί δεν μην θα να επίσης έτσι τότε τώρα σήμερα χθες εδώ εκεί ήδη πολύ όλοι πολλοί μερικοί άλλοι κάθε είναι ήταν έχει εγώ εσύ εμείς",
	},
	{
		tag:      "vi",
		prefix:   "tp tx tt ts ths gs pgs bs ks cn ls ths.bs gs.ts pgs.ts ubnd vd v.d",
		number:   "tr",
		ending:   "tp.hcm tnhh",
		final:    "v.v vv",
		starters: "và nhưng hoặc nếu khi trong trên dưới tại ở của cho với từ đến vì do nên mà thì là có không các những một hai này đó đây ông bà anh chị tôi họ chúng nó theo sau trước hiện ngoài tuy để đã sẽ đang cũng mỗi nhiều",
	},
	{
		tag:      "id",
		prefix:   "dr drs dra ir prof hj tn ny nn sdr sdri bpk ust kh rm jl jln gg kab kec kel kol jend letjen mayjen brigjen st a.n u.p d.a a.l yth mis",
		number:   "no nr hal hlm h pasal ps ay jil vol gbr tab jan feb mar apr jun jul agu sep sept okt nov des tel telp",
		ending:   "s.h s.e s.pd s.kom m.si m.sc m.pd ph.d tbk pt cv jr a.s u.s",
		final:    "dll dsb dst dkk tsb",
		starters: "dan atau tetapi tapi namun jika kalau ketika saat sementara karena meskipun walaupun bahwa untuk dari di ke pada dengan dalam oleh sebagai seperti antara setelah sebelum sejak hingga selama menurut ini itu ia dia mereka kami kita saya anda para sebuah seorang tidak bukan juga hanya masih sudah telah akan sedang dapat bisa ada adalah kemudian lalu sekarang semua banyak beberapa setiap lain selain bagaimana apa siapa mengapa",
	},
	{
		tag:    "ar",
		prefix: "أ.د ص.ب",
		number: "ص",
		ending: "ق.م هـ ش.م.م",
		final:  "إلخ الخ",
	},
	{
		tag:    "fa",
		number: "ص",
		ending: "ق.م ه.ش ه.ق",
	},
	{
		tag:    "he",
		prefix: "פרופ",
		number: "עמ מס",
	},
	{
		tag:    "hi",
		prefix: "डॉ डा प्रो श्री पं मो सं नं रु कि.मी",
		final:  "आदि",
	},
	{tag: "ko", ordinals: datesOnly},
	{tag: "ja"},
	{tag: "zh"},
}

// Words after "5 p.m." that still belong to the time of day.
const afterClock = "est edt et cst cdt ct mst mdt mt pst pdt pt gmt utc bst cet eastern central mountain pacific local monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"

// Words before a capital letter that is a name rather than an initial: "vitamin C.",
// "Plan B."
const lettered = "vitamin vitamins hepatitis plan type group class grade category option appendix section part phase block schedule exhibit zone team vitamina vitaminas epatite hépatite vitamine plano gruppe klasse typ grupo grupa groupe gruppo tipo clase classe sektion витамин витамина гепатит гепатита группа группы класс класса план"

// Finite verbs that end Hindi sentences where a full stop stands for the danda;
// other words that short are abbreviations (डॉ.).
const hindiFinals = "है हैं था थे थी थीं हूँ हूं हो गए गई गया लिए दी दिया किया की कर"
