import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

type Chunk = string | Buffer;

export function pdfFile(objects: Chunk[], trailer = ''): Uint8Array {
  const out: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let at = out[0]!.length;
  const places: number[] = [];
  const push = (chunk: Chunk): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    out.push(bytes);
    at += bytes.length;
  };
  objects.forEach((object, index) => {
    places.push(at);
    push(`${index + 1} 0 obj\n`);
    push(object);
    push('\nendobj\n');
  });
  const start = at;
  push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n` +
      `${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}trailer\n` +
      `<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
  );
  return new Uint8Array(Buffer.concat(out));
}

export function stream(content: Chunk, dictionary = ''): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream', 'latin1'),
  ]);
}

const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

/**
 * Builds a PDF of one page: a large Latin heading, body lines, and a Chinese line in a predefined encoding without a
 * map to Unicode.
 */
export function simplePdf(
  options: { chinese?: string; encoding?: string; ordering?: string; encodedHex?: string; info?: string } = {},
): Uint8Array {
  const chinese = options.chinese ?? '知识库检索';
  const body =
    'BT /F1 24 Tf 72 720 Td (Annual Report) Tj ET BT /F1 11 Tf 72 690 Td (The quick brown fox jumps over ' +
    'the lazy dog.) Tj 0 -14 Td (A second line of body text follows here.) Tj ET BT /F2 11 Tf 72 640 Td ' +
    `<${options.encodedHex ?? hex(chinese)}> Tj ET`;
  return pdfFile(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
      stream(deflateSync(Buffer.from(body, 'latin1')), '/Filter /FlateDecode'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Type /Font /Subtype /Type0 /BaseFont /STSong /Encoding /${options.encoding ?? 'UniGB-UCS2-H'} /DescendantFonts [7 0 R] >>`,
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong /CIDSystemInfo << /Registry (Adobe) ' +
        `/Ordering (${options.ordering ?? 'GB1'}) /Supplement 2 >> /FontDescriptor 8 0 R >>`,
      '<< /Type /FontDescriptor /FontName /STSong /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
      options.info ?? `<< /Title <feff${hex('年度报告')}> /Author (Zhang Wei) >>`,
    ],
    '/Info 9 0 R',
  );
}

export function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]!) & 255;
      [state[i], state[j]] = [state[j]!, state[i]!];
      return byte ^ state[(state[i]! + state[j]!) & 255]!;
    }),
  );
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

/** Builds a PDF encrypted with the standard security handler, revision 2: 40-bit RC4, one user password. */
export function encryptedPdf(password: string, text: string): Uint8Array {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const id = Buffer.from('0123456789abcdef');
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const user = rc4(key, padding);
  const contents = 4;
  const objectKey = md5(key, Buffer.from([contents, 0, 0, 0, 0])).subarray(0, 10);
  const body = rc4(objectKey, Buffer.from(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`, 'latin1'));
  return pdfFile(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      stream(body),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`,
    ],
    `/Encrypt 6 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]`,
  );
}

/** Builds a PDF of one page with lines of text and with form fields given as `[name, type, value]`. */
export function linesPdf(lines: readonly string[], fields: readonly [string, string, string][] = []): Uint8Array {
  const body = `BT /F1 11 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`;
  const widgets = fields.map((_, index) => `${6 + index} 0 R`).join(' ');
  return pdfFile([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${widgets}] >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      `/Resources << /Font << /F1 5 0 R >> >> /Annots [${widgets}] >>`,
    stream(body),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...fields.map(
      ([name, type, value]) =>
        `<< /Type /Annot /Subtype /Widget /Rect [10 10 90 30] /P 3 0 R /T (${name}) /FT /${type} /V ${value} >>`,
    ),
  ]);
}

/** Builds a PDF whose first pages contain only a picture, followed by `texts` pages with text. */
export function scannedPdf(pictures: number, texts = 0): Uint8Array {
  const count = pictures + texts;
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${Array.from({ length: count }, (_, index) => `${7 + index} 0 R`).join(' ')}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream('q 600 0 0 780 0 0 cm /I1 Do Q'),
    stream('BT /F1 12 Tf 72 700 Td (written words) Tj ET'),
    stream(
      Buffer.alloc(3),
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
    ),
    ...Array.from(
      { length: count },
      (_, index) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${index < pictures ? 4 : 5} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> /XObject << /I1 6 0 R >> >> >>',
    ),
  ]);
}

export function manyPagesPdf(pages: number, announced = pages): Uint8Array {
  const numbers = Array.from({ length: pages }, (_, index) => index + 3);
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${announced} >>`,
    ...numbers.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>'),
  ]);
}

export function recursivePagesPdf(): Uint8Array {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 50 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 50 >>',
  ]);
}

export function scriptedPdf(): Uint8Array {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /Names << /EmbeddedFiles << /Names [(x.exe) 7 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream('BT /F1 12 Tf 72 700 Td (Harmless words) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /S /JavaScript /JS (globalThis.pdfScriptRan = true; app.alert\\(1\\)) >>',
    '<< /Type /Filespec /F (x.exe) /EF << /F 8 0 R >> >>',
    stream('MZ not a program'),
  ]);
}

/** Builds a PDF whose page content inflates to `mebibytes` of drawing operators. */
export function bombPdf(mebibytes: number): Uint8Array {
  const line = Buffer.from('1 0 0 1 0 0 cm\n'.repeat(70_000), 'latin1');
  const packed = deflateSync(Buffer.concat(Array.from({ length: mebibytes }, () => line)), { level: 1 });
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] /Contents 4 0 R >>',
    stream(packed, '/Filter /FlateDecode'),
  ]);
}

/** Builds a PDF whose page has no text of its own, only form fields and annotations. */
export function formPdf(): Uint8Array {
  const font = '/Resources << /Font << /F1 4 0 R >> >>';
  const form = (text: string): Buffer =>
    stream(`BT /F1 11 Tf 2 2 Td ${text} ET`, `/Type /XObject /Subtype /Form /BBox [0 0 200 40] ${font}`);
  const annotation = (rest: string): string => `<< /Type /Annot /Rect [10 10 210 50] /F 4 ${rest} >>`;
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R 7 0 R] /DA (/F1 11 Tf) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    annotation('/Subtype /Widget /FT /Tx /T (a) /V (Typed value)'),
    annotation('/Subtype /Widget /FT /Ch /T (b) /Opt [(First item) (Second item)] /V (First item)'),
    annotation('/Subtype /Widget /FT /Btn /Ff 65536 /T (c) /MK << /CA (Press me) >> /AP << /N 10 0 R >>'),
    annotation('/Subtype /FreeText /Contents (Free words) /DA (/F1 11 Tf) /AP << /N 11 0 R >>'),
    annotation('/Subtype /Text /Contents (A comment)'),
    form('(Press) Tj [-300 (me)] TJ'),
    form('(Free words) Tj'),
  ]);
}
