// Arguments of Chromium in tests. Names of features are Chromium's own.

// Each window would render the list of suggestions of its address bar, which no test
// opens, in processes of their own: a fifth of a test's processor time.
const suggestions = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];

// What Playwright turns off: the last --disable-features counts.
const playwright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "DialMediaRouteProvider", "GlobalMediaControls",
  "HttpsUpgrades", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
  "BlockOriginHeaderModificationOnRedirect", "AvoidCorsURLLoaderRestartOnRedirect", "Translate", "AutoDeElevate",
  "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
];

/** `off` are more features to turn off. Those of CHROMIUM_ARGS are added. */
export const browserArguments = (off = []) => [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", `--disable-features=${[...playwright, ...suggestions, ...off].join(",")}`,
  ...(process.env.CHROMIUM_ARGS?.split(" ") ?? []),
];
