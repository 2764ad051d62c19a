import { join, resolve } from 'node:path';
import { ParserPool } from '../adapters/parse/pool.ts';
import { SqlWikiStore } from '../adapters/sql/wiki/store.ts';
import { GuardedWebFetcher } from '../adapters/web/fetcher.ts';
import type { Config } from '../config.ts';
import type { NoteReader } from '../ports/note-reader.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import { version } from '../version.ts';
import { BaseArchives } from '../wiki/export.ts';
import { WikiReader } from '../wiki/reader.ts';
import { workerScript } from '../worker-script.ts';
import type { Base } from './base.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** Opens the knowledge bases, and what fetches, parses and transcribes their items. */
export async function openWiki(
  { config }: Base,
  { database, accounts, blobs }: Storage,
  { noteReader, parserScript }: { noteReader: NoteReader; parserScript: string | undefined },
  opened: Opened,
) {
  const wiki = new SqlWikiStore(database);
  const web = new GuardedWebFetcher({
    allow: config.SHEAF_FETCH_ALLOW,
    userAgent: `Mozilla/5.0 (compatible; sheaf/${version})`,
    folder: join(resolve(config.SHEAF_DATA), 'incoming'),
  });
  opened.add('the web fetcher', web, () => web.close());
  const parser = new ParserPool({ script: parserScript ?? workerScript('formats'), ocr: config.SHEAF_OCR });
  opened.add('the parsers', parser, () => parser.close());
  return {
    wiki,
    wikiReader: new WikiReader(wiki, noteReader),
    archives: new BaseArchives({ accounts, wiki, blobs, noteReader }),
    web,
    parser,
    transcriber: await openTranscriber(config),
  };
}

async function openTranscriber(config: Config): Promise<Transcriber | undefined> {
  if (config.SHEAF_TRANSCRIBE_URL === undefined) return undefined;
  const { HttpTranscriber } = await import('../adapters/web/transcriber.ts');
  return new HttpTranscriber({
    url: config.SHEAF_TRANSCRIBE_URL,
    key: config.SHEAF_TRANSCRIBE_KEY,
    model: config.SHEAF_TRANSCRIBE_MODEL,
  });
}
