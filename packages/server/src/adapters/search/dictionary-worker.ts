import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { Cedict, maxDictionaryBytes } from '@sheaf/search/query/cedict';
import { translateQuery } from '@sheaf/search/query/translate-query';
import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';

/**
 * Main script of the thread that loads the Chinese-English dictionary and translates search queries with it. In the
 * main thread, this work would block requests.
 */
const { path } = workerData as { path: string };
let dictionary: Cedict | undefined;

handleWorkerTasks<string>({
  perform: (question) => translateQuery(question, (dictionary ??= new Cedict(readDictionary(path)))),
});

function readDictionary(file: string): Uint8Array {
  const bytes = readFileSync(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? gunzipSync(bytes, { maxOutputLength: maxDictionaryBytes }) : bytes;
}
