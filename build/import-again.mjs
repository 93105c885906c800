// Lets a lazy part that failed to load be asked for again: Firefox keeps a failed
// import() failed until the page is reloaded, but not one of another address. For
// scripts as bundlers leave them.

const pattern = /\bimport\((["'`])(\.\.?\/[^"'`?]+\.js)\1\)/g;

/** Adds a second try, at an address that no earlier one had, to each dynamic import of a script. */
const importAgain = (code) => code.replace(pattern, (first, quote, path) => `${first}.catch(()=>import(${quote}${path}?${quote}+Date.now()))`);

/** A plugin for Vite that does so. */
export function importsAgain() {
  return {
    name: "imports-again",
    apply: "build",
    // After Vite has added what it loads along with each part.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.code = importAgain(chunk.code);
      },
    },
  };
}
