import type { CompoundFile } from '../containers/compound-file.ts';
import { decodeWord95, encryptedFlag, isWord95 } from './doc-word95.ts';
import { formattingRanges } from './doc-formatting.ts';
import { docPictureLines } from './doc-pictures.ts';
import { emitText, readPieces, uniqueLines, xorStream } from './doc-text.ts';
import { damaged } from '../format-error.ts';
import { rc4Keys, rc4Stream, xorArray } from '../containers/legacy-crypto.ts';
import { withPassword } from '../containers/ooxml-crypto.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

const xorFlag = 0x8000;

export function decodeDoc(file: CompoundFile, job: DecodeJob): DecodedFile {
  const stored = file.read('WordDocument');
  const head = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if (isWord95(stored)) return decodeWord95(file, stored, job);
  if (stored.length < 0x1aa || head.getUint16(0, true) !== 0xa5ec)
    throw damaged('its header is not that of a Word document');
  const flags = head.getUint16(0x0a, true);
  const tableStream = file.read((flags & 0x0200) === 0 ? '0Table' : '1Table');
  const isEncrypted = (flags & encryptedFlag) !== 0;
  const { main, table } = isEncrypted
    ? withPassword(job.password, undefined, (password) => decrypted(stored, tableStream, password))
    : { main: stored, table: tableStream };
  const view = new DataView(main.buffer, main.byteOffset, main.byteLength);
  const pieces = readPieces(table, view.getUint32(0x1a2, true), view.getUint32(0x1a6, true), {
    mainLength: main.length,
  });
  const { headings, deleted, pictures } = formattingRanges(main, table);

  const [body = 0, footnotes = 0, headers = 0, macros = 0, ...rest] = Array.from({ length: 8 }, (_, index) =>
    view.getUint32(0x4c + index * 4, true),
  );
  const out = new TextBuilder(job.limits.maxTextChars);
  const context = { main, pieces, headings, deleted, out, charset: 'windows-1252' };
  emitText(context, 0, body + footnotes);
  const behind = body + footnotes + headers + macros;
  emitText(
    context,
    behind,
    rest.reduce((sum, length) => sum + length, behind),
  );
  for (const line of docPictureLines({ file, main, table, inText: pictures })) out.line(line);
  for (const line of uniqueLines(context, body + footnotes, headers)) out.line(line);
  const { title, author } = readSummary(file);
  return out.done(title, { format: 'doc', ...(author === undefined ? {} : { author }) });
}

/** Number of bytes at the start of a .doc file's main stream that are never encrypted. */
const plainHeader = 0x44;
const blockSize = 512;

/**
 * Decrypts the main stream and the table stream of a .doc file. A file encrypted with XOR has its password verifier in
 * the header of the main stream; one encrypted with RC4 has an encryption header at the start of the table stream.
 */
function decrypted(stored: Uint8Array, table: Uint8Array, password: string): { main: Uint8Array; table: Uint8Array } {
  const head = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if ((head.getUint16(0x0a, true) & xorFlag) !== 0) {
    const key = xorArray(password, head.getUint16(0x0e, true));
    return { main: xorStream(stored, key, plainHeader), table: xorStream(table, key, 0) };
  }
  const keys = rc4Keys(table.subarray(0, head.getUint32(0x0e, true)), password);
  const main = rc4Stream(stored, keys, blockSize);
  main.set(stored.subarray(0, plainHeader));
  return { main, table: rc4Stream(table, keys, blockSize) };
}
