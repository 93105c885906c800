// Writes the PDFs that the page's reader and that of the command line are tested with,
// to cmd/cerasum/internal/ingest/testdata/pdf. The texts that both read are in the JSON
// files there, which "go test ./cmd/cerasum/internal/ingest -run PDF -update" writes:
// read them after it. Run it with: node web/common/tests/write-pdfs.mjs

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { gazette, hidden, recognized } from "./pdf-pages.mjs";
import { column, makePDF } from "./pdf.mjs";

const folder = fileURLToPath(new URL("../../../cmd/cerasum/internal/ingest/testdata/pdf/", import.meta.url));
const write = (name, data) => writeFileSync(`${folder}${name}.pdf`, data);

write("gazette", makePDF(gazette, { title: "gazette-17.indd" }));
write("hidden", makePDF(hidden));
write("recognized", makePDF(recognized));

const good = makePDF([column(["The harbour of Nessel is open again.", "Everybody is glad of it."])]);
write("locked", makePDF([column(["Nobody has the password."])], { locked: true }));
write("scanned", makePDF([[], [], []]));
write("stamped", makePDF(Array.from({ length: 5 }, (_, i) => [{ text: `Scan ${i}`, y: 300 }])));
write("garbled", makePDF([[{ text: "\ue001\ue002\ue003 \ue004\ue005\ue006", y: 60, japanese: true }]]));
write("damaged", good.subarray(0, 200));

// What a browser prints: two justified columns, hyphens, ligatures, a rotated mark, small
// print, text in white, heads and page numbers.
const story = (n) => `The harbour administration of Nessel announced extra&shy;ordinary investi&shy;gations into inter&shy;national navi&shy;gation after the efficient officers found affluent fishermen at waffle shop number ${n}.<sup>${n}</sup> Рыбаки Несселя ждут открытия гавани № ${n}.`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent(`<html lang="en"><title>Tides of Nessel</title><style>
  body { font: 10pt serif; margin: 0 } main { columns: 2; column-gap: 1cm; text-align: justify }
  figcaption { font-size: 7pt } h1 { font-size: 20pt } h2 { font-size: 13pt } mark { position: fixed; top: 300px; left: 200px; font-size: 60px; transform: rotate(-60deg); background: none; color: #ccc }
</style><h1>A report on the harbour</h1><mark>DRAFT</mark><main><h2>Introduction</h2>
${Array.from({ length: 9 }, (_, i) => `<p>${story(i)}</p>`).join("")}
<p style="color: #fff">This secret sentence is white.</p><p style="background: #003; color: #fff">White letters on blue can be read.</p>
<h2>Results</h2><ul><li>The first finding of the office.</li><li>The second finding.</li></ul>
${Array.from({ length: 12 }, (_, i) => `<p>${story(i + 9)}</p>`).join("")}
<figcaption>Figure 1: The harbour from above, in a small caption.</figcaption>
<h2>References</h2><p style="font-size: 8pt">[1] A. Author. The harbour. 2024.</p></main>`);
const small = (text) => `<span style="font-size: 8px; margin: auto">${text}</span>`;
write("printed", await page.pdf({
  format: "A5", printBackground: true, displayHeaderFooter: true, margin: { top: "2cm", bottom: "2cm", left: "2cm", right: "2cm" },
  headerTemplate: small("Yearbook of the coast"), footerTemplate: small('page <span class="pageNumber"></span> of <span class="totalPages"></span>'),
}));
// Text that is written to the left, with numbers, names, brackets and marks in it.
await page.setContent(`<style>body { font: 12pt "DejaVu Sans"; width: 430px } section { break-after: page }</style>
<section lang="he" dir="rtl">
<h1>הסכר בעמק נסדק</h1>
<p>עובדי המים מצאו ביום שלישי סדק באורך 12 מטרים בסכר הישן (שנבנה בשנת 1954). ראש העיר אמרה כי "אין סכנה לתושבים", אך 340 משפחות התבקשו לעזוב את בתיהן עד ה־3 במאי.</p>
<p>חברת Rosenfeld Engineering בודקת את הקיר. התיקון יעלה 4.5 מיליון שקלים, לפי ההערכה הראשונה של המשרד.</p>
</section>
<section lang="ar" dir="rtl">
<h1>تشقق السد في الوادي</h1>
<p>وجد عمال المياه يوم الثلاثاء شقا طوله 12 مترا في السد القديم (الذي بني عام 1954). وقالت رئيسة البلدية إن "لا خطر على السكان"، لكن 340 عائلة طُلب منها مغادرة بيوتها حتى 3 مايو.</p>
<p>تفحص شركة Rosenfeld Engineering الجدار. وسيكلف الإصلاح 4.5 ملايين بحسب التقدير الأول للوزارة. لا بلاد الآن.</p>
</section>
<section lang="en">
<p>The Hebrew word for dam is סכר גדול מאוד and it is used in the report of 2024. The Arabic word is سد كبير, which the engineers also write.</p>
</section>`);
write("leftward", await page.pdf({ format: "A5", tagged: false }));
await browser.close();
