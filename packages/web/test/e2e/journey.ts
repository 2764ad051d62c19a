import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openBrowser, startSheaf, type SheafProcess, type TestBrowser } from '@sheaf/tools/testing/browser.ts';

export interface Journey {
  /** A server with its own empty data folder. */
  readonly sheaf: SheafProcess;
  readonly browser: TestBrowser;
  /** Folder for files to upload. */
  readonly folder: string;
}

/** Starts the server and the browser for a test file and stops them after its last test. */
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
