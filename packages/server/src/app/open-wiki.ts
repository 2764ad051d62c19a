import { join, resolve } from 'node:path';
import { ParserPool } from '../adapters/parse/parser-pool.ts';
import { SqlWikiStore } from '../adapters/sql/wiki/wiki-store.ts';
import { GuardedWebFetcher } from '../adapters/web/guarded-fetcher.ts';
import type { Config } from '../config.ts';
import type { NoteReader } from '../ports/note-reader.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import { version } from '../version.ts';
import { KnowledgeBaseArchiveGenerator } from '../modules/wiki/knowledge-base-archive.ts';
import { ItemTextReader } from '../modules/wiki/item-text-reader.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { CoreServices } from './core-services.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

/**
 * Opens the store of the knowledge bases, and the services that fetch web pages, parse files and transcribe recordings.
 * Adds those that must be closed at shutdown to `opened`.
 */
export async function openWiki(
  { config }: CoreServices,
  { database, accounts, blobs }: StorageServices,
  { noteReader, parserScript }: { noteReader: NoteReader; parserScript: string | undefined },
  opened: ResourceStack,
) {
  const wiki = new SqlWikiStore(database);
  const web = new GuardedWebFetcher({
    allow: config.SHEAF_FETCH_ALLOW,
    userAgent: `Mozilla/5.0 (compatible; sheaf/${version})`,
    folder: join(resolve(config.SHEAF_DATA), 'incoming'),
  });
  opened.add('the web fetcher', web, () => web.close());
  const parser = new ParserPool({ script: parserScript ?? workerScriptPath('formats'), ocr: config.SHEAF_OCR });
  opened.add('the parsers', parser, () => parser.close());
  return {
    wiki,
    wikiReader: new ItemTextReader(wiki, noteReader),
    archives: new KnowledgeBaseArchiveGenerator({ accounts, wiki, blobs, noteReader }),
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
