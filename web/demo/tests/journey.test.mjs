// A person who has never seen the page: from three files of their own to an answer
// with its source, in at most eight actions.

import assert from "node:assert/strict";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, open, quotes, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();

const files = [
  textFile("gazette.txt", "The harbour of Nessel was closed on Monday after the storm. Forty ships wait outside it. Divers look for the lost anchor of the ferry. The town council meets on Friday."),
  textFile("courier.txt", "The repair of the east pier in Nessel will cost four million euros, the port authority said. The fishermen use the pier of Ost meanwhile. Their catch is smaller than in other years."),
  textFile("letter.txt", "Anna Brandt, who owns the ferry, said that the insurance would pay for the anchor. She expects to sail again within three weeks. Tourists were taken home by bus."),
];

for (const [name, viewport] of Object.entries({ desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
  (name === "phone" ? test : slow)(`three files, a question, a source, the text: ${name}`, async (t) => {
    const { page, context, log } = await open(browser, server.url, { viewport, options: false });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
    let actions = 0;
    /** Only what can be seen can be used, by its visible name. */
    const act = (what) => (actions++, what());

    const choosing = page.waitForEvent("filechooser");
    await act(() => page.getByRole("button", { name: "Choose files" }).click());
    const chooser = await choosing;
    await summarized(page, () => act(() => chooser.setFiles(files)));
    const general = await quotes(page);
    assert.ok(general.length > 1);

    const question = page.getByLabel("What do you want to know?");
    await act(() => question.click());
    await summarized(page, () => act(() => page.keyboard.type("What does the repair of the pier cost?")));
    // A summary may come between two keys.
    await page.waitForFunction(() => document.getElementById("quotes").getAttribute("aria-busy") === "false" && document.querySelector("#quotes mark.asked"));
    const first = page.locator("#quotes > li", { hasText: "four million euros" });
    assert.deepEqual(await first.locator("mark.asked").allTextContents(), ["repair", "pier", "cost"]);
    assert.match(await page.textContent("#asked"), /Marked words come from your question\./);

    await act(() => first.getByRole("button", { name: "In context" }).click());
    const around = await first.locator(".around:visible").allTextContents();
    assert.equal(around[0], "The document begins here.");
    assert.match(around[1], /^The fishermen use the pier of Ost meanwhile\./);

    await act(() => page.getByRole("radio", { name: "Text" }).check());
    await act(() => page.getByRole("button", { name: "Copy" }).click());
    await page.waitForFunction(() => document.getElementById("copy-label").textContent === "Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^Question: What does the repair of the pier cost\?\n\n/);
    assert.match(copied, /will cost four million euros, the port authority said\. \[2\]/);
    assert.match(copied, /\nSources\n/);
    t.diagnostic(`${actions} actions`);
    assert.ok(actions <= 8, `${actions} actions`);
    assert.deepEqual(log, []);
    await context.close();
  });
}
