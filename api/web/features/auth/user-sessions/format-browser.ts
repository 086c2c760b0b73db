/** Names of browsers by what they say of themselves: the first that is found, as many say the names of others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const found = (agent: string, names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(agent))?.[1];

/** A readable name for a browser: "Firefox on Linux"; the raw user agent if unknown. */
export function formatBrowser(agent: string): string {
  const [browser, system] = [found(agent, BROWSERS), found(agent, SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (agent === '' ? 'Unknown browser' : agent);
}
