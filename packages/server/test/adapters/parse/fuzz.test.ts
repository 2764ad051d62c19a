import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ParserPool } from '../../../src/adapters/parse/parser-pool.ts';
import { FormatError, type FormatKind } from '@sheaf/files';
import { concat, seeded, utf8 } from '@sheaf/tools/testing/formats/bytes.ts';
import { aac, jpeg, m4a, mp3, png, wav, webp } from '@sheaf/tools/testing/formats/media.ts';
import { docxParts, pptx, wordParagraph, xlsx, xmindJson, xmindXml, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { eml, msg } from '@sheaf/tools/testing/formats/mail.ts';
import { doc, ppt, xls, xlsb } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { epub, odp, ods, odt, rtf, svg } from '@sheaf/tools/testing/formats/open-document.ts';
import { encryptedPdf, simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { bundleParserWorker, type WorkerBundle } from '@sheaf/tools/testing/formats/parser-worker-bundle.ts';

// `SHEAF_FUZZ_ROUNDS=10000` is the drill; the suite takes a bounded share of it.
const rounds = Number(process.env['SHEAF_FUZZ_ROUNDS'] ?? 300);
const seed = Number(process.env['SHEAF_FUZZ_SEED'] ?? 20_261_115);

const page =
  '<html><head><meta charset="utf-8"><title>t</title></head><body><h1>标题</h1><table><tr><td>a</td></tr></table><pre>x</pre>&amp;&#x4e2d;</body></html>';
const seeds: Record<FormatKind, Uint8Array[]> = {
  pdf: [simplePdf(), encryptedPdf('p', 'x')],
  docx: [zip(docxParts(wordParagraph('标题', '1') + wordParagraph('text')))],
  doc: [doc([{ text: '标题', style: 1 }, { text: 'body \u0013 X \u0014y\u0015' }], { title: 't' })],
  pptx: [pptx()],
  ppt: [ppt([{ title: 'a', body: 'b', box: 'c' }])],
  xlsx: [xlsx()],
  xls: [
    xls([
      ['a', 1, true],
      ['中文', 2.5],
    ]),
  ],
  csv: [utf8('a,b\n"c ""d""",e\n')],
  html: [utf8(page)],
  markdown: [
    utf8('---\ntitle: x\n---\n# a\n\n- b\n  - c\n\n| d | e |\n|---|---|\n| f | `g` |\n\n> h [i](j) ![k](l)\n'),
  ],
  text: [utf8('文本 text'), Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e), Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4)],
  xmind: [xmindJson(), xmindXml()],
  image: [png(10, 20), jpeg(30, 40), webp(50, 60)],
  audio: [mp3(2, { TIT2: 'x' }), wav(0.1), aac(20), m4a(3)],
  rtf: [rtf()],
  odt: [odt()],
  odp: [odp()],
  ods: [ods()],
  xlsb: [xlsb([['a', 1]])],
  epub: [epub()],
  eml: [
    eml({ subject: '标题', text: 'a', html: '<p>b</p>', attachments: [{ name: 'c', type: 'x/y', bytes: utf8('d') }] }),
  ],
  mbox: [utf8('From a\nSubject: b\n\nc\n\nFrom d\nSubject: e\n\nf\n')],
  msg: [
    msg({
      subject: 'a',
      rtf: '{\\rtf1 b}',
      attachments: [{ name: 'c', bytes: utf8('d') }],
      embedded: [{ subject: 'e' }],
    }),
  ],
  svg: [svg()],
  zip: [zip({ 'a/b.txt': 'c' })],
  file: [Uint8Array.of(0, 1, 2)],
};

function mutate(original: Uint8Array, chance: () => number): Uint8Array {
  const pick = (limit: number): number => Math.floor(chance() * limit);
  let bytes = Uint8Array.from(original);
  for (let change = pick(6) + 1; change > 0; change--) {
    const at = pick(Math.max(bytes.length, 1));
    switch (pick(7)) {
      case 0:
        bytes[at] = pick(256);
        break;
      case 1:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes.fill([0, 0xff, 0x7f, 0x80][pick(4)]!, at, at + pick(16));
        break;
      case 4:
        bytes = concat(
          bytes.subarray(0, at),
          bytes.subarray(at, at + pick(64)),
          bytes.subarray(at),
        ) as Uint8Array<ArrayBuffer>;
        break;
      case 5:
        bytes.copyWithin(at, pick(bytes.length), pick(bytes.length));
        break;
      default:
        bytes = concat(bytes.subarray(0, at), bytes.subarray(at + pick(32))) as Uint8Array<ArrayBuffer>;
    }
  }
  return bytes;
}

const zipped = new Set<FormatKind>(['docx', 'pptx', 'xlsx', 'xmind', 'odt', 'odp', 'ods', 'xlsb', 'epub']);

/** Changes inside one part of an archive that stays sound: otherwise the checksums would stop every change at the door. */
function mutatePart(original: Uint8Array, chance: () => number): Uint8Array {
  const parts = unzipSync(original);
  const names = Object.keys(parts);
  const name = names[Math.floor(chance() * names.length)]!;
  return zipSync({ ...parts, [name]: mutate(parts[name]!, chance) });
}

let bundle: WorkerBundle;
let pool: ParserPool;

beforeAll(async () => {
  bundle = await bundleParserWorker();
  pool = new ParserPool({ script: bundle.script, size: 2, timeoutMs: 20_000 });
});
afterAll(async () => {
  await pool.close();
  await bundle.remove();
});

describe('[T32] mutated files', () => {
  it.each(Object.entries(seeds))(
    '%s: every one is read or refused, none ends its worker',
    async (name, originals) => {
      const kind = name as FormatKind;
      const chance = seeded(seed + name.length * 1_000 + name.charCodeAt(0));
      const bad: string[] = [];
      const one = async (round: number): Promise<void> => {
        const original = originals[round % originals.length]!;
        const bytes = zipped.has(kind) && round % 3 > 0 ? mutatePart(original, chance) : mutate(original, chance);
        const hex = Buffer.from(bytes).toString('base64');
        try {
          const decoded = await pool.parse(bytes, { kind, password: 'p', article: round % 2 === 0 });
          const misplaced = decoded.headings.filter(
            (heading) => !decoded.text.startsWith(heading.text, heading.offset),
          );
          if (misplaced.length > 0) bad.push(`round ${round}: heading not at its offset: ${hex}`);
        } catch (error) {
          if (!(error instanceof FormatError) || error.word === 'crashed' || error.word === 'timed_out')
            bad.push(`round ${round}: ${String(error)}: ${hex}`);
        }
      };
      for (let round = 0; round < rounds; round += 20) {
        await Promise.all(Array.from({ length: Math.min(20, rounds - round) }, (_, index) => one(round + index)));
      }
      expect(bad).toEqual([]);
    },
    60_000 + rounds * 200,
  );
});
