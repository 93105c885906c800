// Trusted Types: where a browser supports them, the policy of the page lets only this
// file make HTML and addresses of scripts. There is no default policy: what does not go
// through here is refused.

interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

const rules: Policy = {
  /** HTML is parsed into documents without a window alone, in which no script runs: see build/trusted-types.mjs. */
  createHTML: (html) => html,
  createScriptURL(url) {
    const { href } = new URL(url, document.baseURI);
    if (!href.startsWith(new URL("/", location.href).href)) throw new TypeError(`${href} is not a script of this page`);
    return href;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const policy = trustedTypes?.createPolicy("cerasum", rules) ?? rules;

/** HTML for an element of a document without a window. */
export const inertHTML = (html: string): string => policy.createHTML(html);

/** The address of a script of the page itself, for a worker. */
export const ownScript = (url: string | URL): string => policy.createScriptURL(String(url));
