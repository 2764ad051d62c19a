/**
 * User-Agent patterns of browsers. Specific patterns come first, because most browsers also send the names of other
 * browsers.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const longest = 60;

/**
 * Returns the display name of a device from the User-Agent header, such as "Firefox on Windows". For a program that is
 * not a known browser, returns the program's name. Returns '' if the header is missing or names no program.
 */
export function deviceName(userAgent: string | undefined): string {
  const given = (userAgent ?? '').slice(0, 1000);
  const nameIn = (list: typeof browsers): string | undefined => list.find(([sign]) => sign.test(given))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // If no browser matched, use the program name at the start of the header, as in "curl/8.5.0".
  const program = /^[\w.-]+(?:\/[\w.-]+)?/.exec(given)?.[0] ?? '';
  return program.slice(0, longest);
}
