import { packedBytes } from "virtual:encoder";
import { byId, flag, put } from "../../../common/dom.ts";
import { type CloseReading, isMetered } from "../closely.ts";
import type { Engine } from "../engine.ts";
import type { Offline } from "../offline.ts";
import { page, spoken, text as t } from "../strings.ts";

/** The line that offers close reading, or says what came of it. */
export function mountClosely(engine: Engine, closely: CloseReading, offline: Offline, read: () => void): void {
  const line = byId("closely");
  const said = byId("closely-said");
  const button = byId<HTMLButtonElement>("closely-read");
  const more = byId("closely-more");
  const no = byId<HTMLButtonElement>("closely-no");
  let act = read;

  function render(): void {
    const { state, result } = engine;
    const better = state.kind === "done" && state.better !== undefined;
    const reading = state.kind === "done" && state.refining !== undefined;
    const failed = !better && !reading && result?.unread !== undefined;
    // An answer of "no" holds until a method is chosen that cannot do without.
    const possible = result?.wanted === true && result.encoder === undefined && (!closely.refused || result.fallback !== undefined);
    const offered = packedBytes > 0 && !better && !reading && !failed && possible && (closely.encoder === undefined || engine.declined);
    if (line.contains(document.activeElement) && !better && !failed && !offered) byId("summary-title").focus({ preventScroll: true });
    put(line, { hidden: flag(!better && !failed && !offered), class: failed ? "closely failed" : "closely" });
    put(said, {}, better ? t.closely.better : failed ? t.closely.failed(result!.unread!) : "");
    put(button, {}, better ? t.closely.show : failed ? t.closely.again : closely.stored ? t.closely.read : t.closely.offer(packedBytes, offline.state !== "never"));
    put(more, {}, !offered ? "" : [t.closely.why, !closely.stored && isMetered() ? t.closely.metered : ""].filter(Boolean).join(" "));
    put(no, { hidden: flag(!offered || closely.wanted || closely.refused) }, page.closelyNo);
    act = better ? () => engine.showBetter() : read;
  }

  button.addEventListener("click", () => act());
  no.addEventListener("click", () => closely.refuse());
  for (const source of [engine, closely, offline, spoken]) source.addEventListener("change", render);
}
