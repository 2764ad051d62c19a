import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openBrowser, startSheaf, type Sheaf, type TestBrowser } from '@sheaf/tools/testing/browser.ts';

export interface Journey {
  /** A server with an empty folder of its own. */
  readonly sheaf: Sheaf;
  readonly browser: TestBrowser;
  /** For files to upload. */
  readonly folder: string;
}

/** What every journey begins with; taken down after the last test of the file. */
export async function journey(env: Record<string, string> = {}): Promise<Journey> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-files-'));
  const sheaf = await startSheaf(env);
  const browser = await openBrowser().catch(async (error: unknown) => {
    await sheaf.stop();
    throw error;
  });
  afterAll(async () => {
    await browser.close();
    await sheaf.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { sheaf, browser, folder };
}
