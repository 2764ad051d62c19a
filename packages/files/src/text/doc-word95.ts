import type { CompoundFile } from '../containers/compound-file.ts';
import { word95Headings } from './doc-formatting.ts';
import { emitText, readPieces, uniqueLines, xorStream, type Piece } from './doc-text.ts';
import { xorArray } from '../containers/legacy-crypto.ts';
import { withPassword } from '../containers/ooxml-crypto.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

/**
 * This file decodes Word 6 and Word 95 files, which store text and formatting in one stream, with one byte per
 * character (two in East Asian text).
 */

const mark = 0xa5dc;
const headerSize = 0x168;
const complexFlag = 0x0004;
export const encryptedFlag = 0x0100;
/** Number of bytes at the start of an encrypted main stream that are stored in plain text. */
const plainHeader = 0x34;

export function isWord95(main: Uint8Array): boolean {
  return main.length >= headerSize && main[0] === (mark & 255) && main[1] === mark >> 8;
}

export function decodeWord95(file: CompoundFile, stored: Uint8Array, job: DecodeJob): DecodedFile {
  const head = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const flags = head.getUint16(0x0a, true);
  const main =
    (flags & encryptedFlag) === 0
      ? stored
      : withPassword(job.password, undefined, (password) =>
          xorStream(stored, xorArray(password, head.getUint16(0x0e, true)), plainHeader),
        );
  const view = new DataView(main.buffer, main.byteOffset, main.byteLength);
  const charset = charsetOf(view);
  const lengths = Array.from({ length: 8 }, (_, index) => view.getUint32(0x34 + index * 4, true));
  const [body = 0, footnotes = 0, headers = 0, macros = 0, ...rest] = lengths;
  const out = new TextBuilder(job.limits.maxTextChars);
  const context = {
    main,
    pieces: piecesOf(main, view, (flags & complexFlag) !== 0),
    // With double-byte charsets, text offsets do not match file offsets, so headings cannot be located.
    headings: doubleByte.has(charset) ? () => 0 : word95Headings(main),
    deleted: () => 0,
    out,
    charset,
  };
  emitText(context, 0, body + footnotes);
  const behind = body + footnotes + headers + macros;
  emitText(
    context,
    behind,
    rest.reduce((sum, length) => sum + length, behind),
  );
  for (const line of uniqueLines(context, body + footnotes, headers)) out.line(line);
  const { title, author } = readSummary(file);
  return out.done(title, { format: 'doc', ...(author === undefined ? {} : { author }) });
}

function piecesOf(main: Uint8Array, view: DataView, isComplex: boolean): Piece[] {
  const tableLength = view.getUint32(0x164, true);
  if (isComplex && tableLength > 0)
    return readPieces(main, view.getUint32(0x160, true), tableLength, { mainLength: main.length, isOld: true });
  const from = Math.min(view.getUint32(0x18, true), main.length);
  const to = Math.min(Math.max(view.getUint32(0x1c, true), from), main.length);
  return [{ start: 0, end: to - from, at: from, width: 1 }];
}

const doubleByte = new Set(['shift_jis', 'gbk', 'big5', 'euc-kr']);

/**
 * Charsets by Windows language id: the full id for Chinese, which has two scripts, otherwise the primary language id
 * (the lowest ten bits).
 */
const charsets = new Map(
  `0x0404:big5 0x0c04:big5 0x0804:gbk 0x1004:gbk 0x11:shift_jis 0x12:euc-kr 0x01:windows-1256 0x02:windows-1251
0x05:windows-1250 0x08:windows-1253 0x0d:windows-1255 0x0e:windows-1250 0x15:windows-1250 0x18:windows-1250
0x19:windows-1251 0x1b:windows-1250 0x1e:windows-874 0x1f:windows-1254 0x22:windows-1251 0x24:windows-1250
0x25:windows-1257 0x26:windows-1257 0x27:windows-1257`
    .split(/\s+/)
    .map((one) => one.split(':'))
    .map(([language, charset = '']) => [Number(language), charset]),
);

function charsetOf(view: DataView): string {
  if (view.getUint16(0x14, true) === 0x100) return 'macintosh';
  const language = view.getUint16(0x06, true);
  return charsets.get(language) ?? charsets.get(language & 0x3ff) ?? 'windows-1252';
}
