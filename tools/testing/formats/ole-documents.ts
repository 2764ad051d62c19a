import CFB from 'cfb';
import * as XLSX from '@e965/xlsx';
import { concat, u16, u32, utf16 } from './bytes.ts';
import { emfBlip } from './metafile.ts';

export function compound(streams: Record<string, Uint8Array>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, data] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, Buffer.from(data));
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

export interface DocParagraph {
  text: string;
  /** Number of the paragraph's style; 1 to 9 are headings. */
  style?: number;
}

/** Encryption of a .doc file: the header at the start of the table stream, and the cipher. */
export interface DocCipher {
  header: Uint8Array;
  /** Returns the stream with everything after the first `from` bytes encrypted. */
  encrypt(stream: Uint8Array, from: number): Uint8Array;
}

/** Builds a Word 97 document: header, one piece of UTF-16 text, one page of paragraph properties, the piece table. */
export function doc(
  paragraphs: DocParagraph[],
  options: {
    encrypted?: boolean;
    title?: string;
    cipher?: DocCipher;
    /** EMF pictures within the text and in a floating shape. The shape also has WordArt text. */
    pictures?: { inText: Uint8Array; floating: Uint8Array; wordArt: string };
  } = {},
): Uint8Array {
  const textAt = 0x800;
  const text = utf16(paragraphs.map((paragraph) => `${paragraph.text}\r`).join(''));
  const textEnd = textAt + text.length;
  const pageNumber = Math.ceil(textEnd / 512);
  const main = Buffer.alloc(Math.max((pageNumber + 2) * 512, 4608));
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0xc1, 2);
  main.writeUInt16LE(0x0200 | (options.encrypted === true || options.cipher ? 0x0100 : 0), 0x0a);
  main.writeUInt32LE(text.length / 2, 0x4c);
  Buffer.from(text).copy(main, textAt);

  const page = main.subarray(pageNumber * 512, (pageNumber + 1) * 512);
  page.writeUInt8(paragraphs.length, 511);
  let at = textAt;
  let slot = 500;
  paragraphs.forEach((paragraph, index) => {
    page.writeUInt32LE(at, index * 4);
    at += (paragraph.text.length + 1) * 2;
    slot -= 4;
    page.writeUInt8(2, slot);
    page.writeUInt16LE(paragraph.style ?? 0, slot + 1);
    page.writeUInt8(slot / 2, (paragraphs.length + 1) * 4 + index * 13);
  });
  page.writeUInt32LE(at, paragraphs.length * 4);
  const emptyPage = main.subarray((pageNumber + 1) * 512, (pageNumber + 2) * 512);
  emptyPage.writeUInt8(1, 511);
  emptyPage.writeUInt32LE(textAt, 0);
  emptyPage.writeUInt32LE(textEnd, 4);

  const pieceTable = concat(u32(0, text.length / 2), u16(0), u32(textAt), u16(0));
  const clx = concat(Uint8Array.of(2), u32(pieceTable.length), pieceTable);
  const papx = u32(textAt, textEnd, pageNumber);
  const chpx = u32(textAt, textEnd, pageNumber + 1);
  const header = options.cipher?.header ?? new Uint8Array();
  main.writeUInt32LE(header.length, 0x0e);
  main.writeUInt32LE(header.length, 0x1a2);
  main.writeUInt32LE(clx.length, 0x1a6);
  main.writeUInt32LE(header.length + clx.length, 0x102);
  main.writeUInt32LE(papx.length, 0x106);
  main.writeUInt32LE(header.length + clx.length + papx.length, 0xfa);
  main.writeUInt32LE(chpx.length, 0xfe);
  const drawings = options.pictures ? drawing(options.pictures.floating, options.pictures.wordArt) : new Uint8Array();
  if (options.pictures) {
    emptyPage.writeUInt8(100, 8);
    emptyPage.set(concat(Uint8Array.of(6), u16(0x6a03), u32(0)), 200);
    main.writeUInt32LE(header.length + clx.length + papx.length + chpx.length, 0x22a);
    main.writeUInt32LE(drawings.length, 0x22e);
  }
  const table = concat(header, clx, papx, chpx, drawings, new Uint8Array(4200));
  const encrypt = options.cipher?.encrypt ?? ((stream: Uint8Array) => stream);
  return compound({
    WordDocument: encrypt(new Uint8Array(main), 0x44),
    '1Table': encrypt(table, header.length),
    ...(options.pictures ? { Data: inlinePicture(options.pictures.inText) } : {}),
    ...(options.title === undefined ? {} : { '\u0005SummaryInformation': summary(options.title) }),
  });
}

/** Returns a picture for the `Data` stream of a .doc file: a header, a shape, and the picture store entry. */
function inlinePicture(bytes: Uint8Array): Uint8Array {
  const shapes = concat(record(0xf004, new Uint8Array(), { container: true }), blipEntry(emfBlip(bytes)));
  return concat(u32(68 + shapes.length), u16(68, 0x64), new Uint8Array(60), shapes);
}

/** Returns the drawing data of a .doc file: the picture store, and a shape with a picture and WordArt text. */
function drawing(bytes: Uint8Array, wordArt: string): Uint8Array {
  const store = record(0xf001, blipEntry(emfBlip(bytes)), { container: true });
  const shape = record(0xf004, shapeOptions(1, wordArt), { container: true });
  return concat(
    record(0xf000, store, { container: true }),
    Uint8Array.of(0),
    record(0xf002, record(0xf003, shape, { container: true }), { container: true }),
  );
}

/**
 * Returns an entry of a document's list of pictures. The entry contains the picture, or, if `blip` is empty, the
 * picture's position `offset` in another stream.
 */
function blipEntry(blip: Uint8Array, offset = 0): Uint8Array {
  return record(0xf007, concat(new Uint8Array(28), u32(offset), new Uint8Array(4), blip));
}

/** Returns the property table of a shape: its picture number and its WordArt text. */
function shapeOptions(picture: number, wordArt = ''): Uint8Array {
  const text = utf16(`${wordArt}\0`);
  return record(0xf00b, concat(u16(0x4104), u32(picture), u16(0x80c0), u32(text.length), text), { instance: 2 });
}

/** Builds a Word 6 document: one stream with one byte per character, in the charset of `language`. */
export function oldDoc(
  text: Uint8Array,
  language = 0x0409,
  headings: { level: number; from: number; to: number }[] = [],
) {
  const textAt = 0x300;
  const pageNumber = Math.ceil((textAt + text.length) / 512);
  const main = Buffer.alloc((pageNumber + 10) * 512);
  main.writeUInt16LE(0xa5dc, 0);
  main.writeUInt16LE(0x65, 2);
  main.writeUInt16LE(language, 6);
  main.writeUInt32LE(textAt, 0x18);
  main.writeUInt32LE(textAt + text.length, 0x1c);
  main.writeUInt32LE(text.length, 0x34);
  Buffer.from(text).copy(main, textAt);
  const page = main.subarray(pageNumber * 512, (pageNumber + 1) * 512);
  page.writeUInt8(headings.length, 511);
  headings.forEach(({ level, from, to }, index) => {
    page.writeUInt32LE(textAt + from, index * 4);
    page.writeUInt32LE(textAt + to, index * 4 + 4);
    const slot = 480 - index * 8;
    page.writeUInt8(2, slot);
    page.writeUInt16LE(level, slot + 1);
    page.writeUInt8(slot / 2, (headings.length + 1) * 4 + index * 7);
  });
  const directory = (pageNumber + 1) * 512;
  main.writeUInt32LE(textAt, directory);
  main.writeUInt32LE(textAt + text.length, directory + 4);
  main.writeUInt16LE(pageNumber, directory + 8);
  main.writeUInt32LE(directory, 0xc0);
  main.writeUInt32LE(10, 0xc4);
  return compound({ WordDocument: new Uint8Array(main) });
}

/** Returns a summary property set that contains the title in UTF-8. */
function summary(title: string): Uint8Array {
  const raw = Buffer.from(`${title}\0`);
  const value = concat(u32(0x1e, raw.length), raw);
  const section = concat(u32(8 + 16 + 8 + value.length, 2), u32(1, 24, 2, 32), u32(2, 65001), value);
  return concat(u16(0xfffe, 0), u32(0x20005), new Uint8Array(16), u32(1), new Uint8Array(16), u32(48), section);
}

function record(type: number, data: Uint8Array, options: { instance?: number; container?: boolean } = {}): Uint8Array {
  return concat(
    u16(((options.instance ?? 0) << 4) | (options.container === true ? 0xf : 0), type),
    u32(data.length),
    data,
  );
}

export interface PptSlide {
  title: string;
  body: string;
  box?: string;
  notes?: string;
  footer?: string;
  /** Picture record of the slide, as created by `emfBlip`. */
  picture?: Uint8Array;
}

/** Builds a PowerPoint 97 file: slide list with outline text, one text box per slide, and the part directory. */
export function ppt(
  slides: PptSlide[],
  options: {
    encrypted?: boolean;
    /** True to leave the document itself out of the directory of parts, as in a damaged file. */
    isLost?: boolean;
    cipher?: { header: Uint8Array; encrypt(part: Uint8Array, id: number): Uint8Array };
  } = {},
): Uint8Array {
  const chars = (text: string): Uint8Array => record(0x0fa0, utf16(text));
  const list = record(
    0x0ff0,
    concat(
      ...slides.flatMap((slide, index) => [
        record(0x03f3, u32(index + 2, 0, 0, 256 + index, 0)),
        record(0x0f9f, u32(0)),
        chars(slide.title),
        record(0x0f9f, u32(1)),
        record(0x0fa8, new Uint8Array(Buffer.from(slide.body, 'latin1'))),
      ]),
    ),
    { container: true },
  );
  const noted = slides.flatMap(({ notes }, index) => (notes === undefined ? [] : [{ notes, slide: 256 + index }]));
  const notesList = record(
    0x0ff0,
    concat(...noted.map((_, index) => record(0x03f3, u32(slides.length + 2 + index, 0, 0, 900 + index, 0)))),
    { instance: 2, container: true },
  );
  const pictures = slides.flatMap(({ picture }) => (picture ? [picture] : []));
  const entries = pictures.map((_, index) => blipEntry(new Uint8Array(), concat(...pictures.slice(0, index)).length));
  const store = record(0xf000, record(0xf001, concat(...entries), { container: true }), { container: true });
  const drawingGroup = entries.length === 0 ? new Uint8Array() : record(0x040b, store, { container: true });
  const document = record(0x03e8, concat(drawingGroup, list, noted.length === 0 ? new Uint8Array() : notesList), {
    container: true,
  });
  const boxed = (text: string): Uint8Array =>
    record(0x040c, record(0xf00d, concat(record(0x0f9f, u32(4)), chars(text)), { container: true }), {
      container: true,
    });
  const pictured = (number: number): Uint8Array =>
    record(0x040c, record(0xf004, shapeOptions(number), { container: true }), { container: true });
  const footed = (text: string): Uint8Array =>
    record(0x0fd9, record(0x0fba, utf16(text), { instance: 2 }), { container: true });
  const parts = [
    document,
    ...slides.map((slide) =>
      record(
        0x03ee,
        concat(
          ...(slide.box === undefined ? [] : [boxed(slide.box)]),
          ...(slide.picture === undefined ? [] : [pictured(pictures.indexOf(slide.picture) + 1)]),
          ...(slide.footer === undefined ? [] : [footed(slide.footer)]),
        ),
        { container: true },
      ),
    ),
    ...noted.map(({ notes, slide }) =>
      record(0x03f0, concat(record(0x03f1, u32(slide, 0)), boxed(notes)), { container: true }),
    ),
  ];
  const { cipher } = options;
  if (cipher) {
    parts.forEach((part, index) => (parts[index] = cipher.encrypt(part, index + 1)));
    parts.push(record(0x2f14, cipher.header));
  }
  const master = record(0x03f8, chars('Click to edit Master title style'), { container: true });
  const places: number[] = [];
  let at = master.length;
  for (const part of parts) {
    places.push(at);
    at += part.length;
  }
  const directory = record(0x1772, u32(((parts.length << 20) | 1) >>> 0, ...places));
  const edit = record(
    0x0ff5,
    u32(
      256,
      0x03000000,
      0,
      at,
      options.isLost === true ? 99 : 1,
      parts.length + 1,
      0,
      ...(cipher ? [parts.length] : []),
    ),
  );
  const user = record(
    0x0ff6,
    concat(u32(20, options.encrypted === true || cipher ? 0xf3d1c4df : 0xe391c05f, at + directory.length), u32(0, 0)),
  );
  return compound({
    'PowerPoint Document': concat(master, ...parts, directory, edit, new Uint8Array(4200)),
    'Current User': user,
    ...(pictures.length === 0 ? {} : { Pictures: concat(...pictures) }),
  });
}

export function xls(rows: unknown[][], name = '表一', bookType: 'biff8' | 'xlsb' = 'biff8'): Uint8Array {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name);
  return new Uint8Array(XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
}

export function xlsb(rows: unknown[][]): Uint8Array {
  return xls(rows, '表一', 'xlsb');
}
