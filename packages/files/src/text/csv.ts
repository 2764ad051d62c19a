import { rowText } from './cell-text.ts';
import { decodeBytes } from './charset.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

export async function decodeCsv(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { text, charset } = await decodeBytes(bytes, job.charset);
  const out = new TextBuilder(job.limits.maxTextChars);
  let rows = 0;
  for (const record of csvRecords(text, delimiterOf(text))) {
    const line = rowText(record);
    if (line === '') continue;
    rows++;
    out.line(line);
  }
  return out.done(undefined, { format: 'csv', charset, rows });
}

/** Returns the most frequent delimiter outside quotes in the first 20,000 characters; a comma if there is none. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, 20_000).replace(/"[^"]*"/g, '');
  let best = ',';
  let most = 0;
  for (const candidate of [',', '\t', ';', '|']) {
    const count = sample.split(candidate).length - 1;
    if (count > most) [best, most] = [candidate, count];
  }
  return best;
}

/** Yields the records of a CSV text as in RFC 4180, but leniently: an unclosed quote runs to the end of the text. */
function* csvRecords(text: string, delimiter: string): Generator<string[]> {
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote === -1) {
          field += text.slice(at);
          at = text.length;
          break;
        }
        field += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
    record.push(field + text.slice(start, at));
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      record.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    yield record;
    record = [];
  }
}
