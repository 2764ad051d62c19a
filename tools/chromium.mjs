// Finds the browser that runs the page's tests, benchmarks and screenshots.
import { existsSync } from 'node:fs';

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Whether tests that need a browser are skipped, as set by SHEAF_NO_BROWSER. */
export const isBrowserLeftOut = process.env.SHEAF_NO_BROWSER === '1';

/** Returns the path of the browser, or undefined if none is installed. */
export function findChromium() {
  const named = process.env.SHEAF_CHROMIUM;
  // If SHEAF_CHROMIUM contains a wrong path, do not fall back to another browser.
  return named ? [named].find((path) => existsSync(path)) : usualPaths.find((path) => existsSync(path));
}

/** Returns the path of the browser, or throws if there is none. */
export function requireChromium() {
  const path = findChromium();
  if (path) return path;
  throw new Error(
    process.env.SHEAF_CHROMIUM
      ? `SHEAF_CHROMIUM: there is no file ${process.env.SHEAF_CHROMIUM}`
      : 'The page is tested in a browser: apt-get install chromium, set SHEAF_CHROMIUM, or leave it out with SHEAF_NO_BROWSER=1',
  );
}
