import type { CompoundFile } from '../containers/compound-file.ts';
import { blipEntries, children, recordAt, type OfficeRecord } from '../containers/office-art.ts';
import { damaged, FormatError } from '../format-error.ts';
import { rc4, rc4Keys } from '../containers/legacy-crypto.ts';
import { withPassword } from '../containers/ooxml-crypto.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { PictureTexts, shapeOptionsRecord } from './picture-texts.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

/**
 * MS-PPT record types that this reader uses: those that contain text, and those that enclose or locate such records.
 */
const documentRecord = 0x03e8;
const slideRecord = 0x03ee;
const notesRecord = 0x03f0;
const notesAtomRecord = 0x03f1;
const slidePersistRecord = 0x03f3;
const footersRecord = 0x0fd9;
const stringRecord = 0x0fba;
const placeholderRecord = 0x0bc3;
const shapeRecord = 0xf004;
const clientDataRecord = 0xf011;
const slideListRecord = 0x0ff0;
const textHeaderRecord = 0x0f9f;
const textCharsRecord = 0x0fa0;
const textBytesRecord = 0x0fa8;
const userEditRecord = 0x0ff5;
const persistDirectoryRecord = 0x1772;
const cryptSessionRecord = 0x2f14;
const encryptedToken = 0xf3d1c4df;

interface Source {
  view: DataView;
  stream: Uint8Array;
  pictures: PictureTexts;
}

interface Slide {
  persistId: number;
  /** Slide id, by which speaker notes refer to their slide. */
  id: number;
  texts: Array<{ kind: number; text: string }>;
}

/**
 * Storage (folder of a compound file) that holds the PowerPoint 97 version of a file that PowerPoint 95 can open too.
 */
const dualStorage = 'PP97_DUALSTORAGE';

export function decodePpt(container: CompoundFile, job: DecodeJob): DecodedFile {
  const dual = container.storage(dualStorage);
  const file = dual?.has('PowerPoint Document') ? dual : container;
  const stored = file.read('PowerPoint Document');
  const { places, session } = readPersistOffsets(
    file,
    new DataView(stored.buffer, stored.byteOffset, stored.byteLength),
  );
  const stream =
    session === undefined
      ? stored
      : withPassword(job.password, undefined, (password) => decrypted(stored, places, session, password));
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const out = new TextBuilder(job.limits.maxTextChars);
  const documentAt = findDocument(view, places);
  const entries = documentAt === undefined ? [] : blipEntries(view, documentAt, stream.length);
  const pictures = file.has('Pictures') ? file.read('Pictures') : new Uint8Array();
  const source: Source = { view, stream, pictures: new PictureTexts(stream, entries, pictures) };
  const slides = documentAt === undefined ? [] : slideList(view, stream, documentAt);
  if (slides.length > job.limits.maxPages)
    throw new FormatError(
      'too_large',
      `The presentation has ${slides.length} slides; the limit is ${job.limits.maxPages}.`,
    );
  const notes = documentAt === undefined ? new Map<number, OfficeRecord>() : notesBySlide(view, documentAt, places);
  const footers = new Set(documentAt === undefined ? [] : footerTexts(view, stream, recordAt(view, documentAt)!));
  let firstTitle: string | undefined;
  for (const [index, slide] of slides.entries()) {
    out.page(`slide ${index + 1}`);
    const title = slide.texts.find((entry) => entry.kind === 0 || entry.kind === 6);
    if (title !== undefined) {
      firstTitle ??= title.text;
      out.heading(1, title.text);
    }
    out.gap();
    for (const entry of slide.texts) if (entry !== title) out.line(entry.text);
    const record = recordAt(view, places.get(slide.persistId) ?? stream.length);
    if (record?.type === slideRecord) {
      for (const text of textBoxTexts(source, record.from, record.to)) out.line(text);
      for (const text of footerTexts(view, stream, record)) footers.add(text);
    }
    const own = notes.get(slide.id);
    if (own) for (const text of textBoxTexts(source, own.from, own.to)) if (text.trim() !== '*') out.line(text);
  }
  // If the list of slides gave no text, for example because the positions of the parts are damaged, write the text of
  // all text boxes in file order.
  if (out.isEmpty) for (const text of textBoxTexts(source, 0, stream.length)) out.line(text);
  if (documentAt !== undefined) for (const text of masterTexts(source, documentAt, places)) footers.add(text);
  for (const text of footers) out.line(text);
  const { title, author } = readSummary(file);
  const generic = title === undefined || /^(?:powerpoint presentation|slide \d+)$/i.test(title);
  return out.done(generic ? firstTitle : title, {
    format: 'ppt',
    slides: slides.length,
    ...(author === undefined ? {} : { author }),
  });
}

/**
 * Decrypts each part (persist object) of a PowerPoint stream with the key for its number. `places` holds the offsets of
 * the parts by number, `session` the number of the part with the encryption header.
 */
function decrypted(
  stored: Uint8Array,
  places: ReadonlyMap<number, number>,
  session: number,
  password: string,
): Uint8Array {
  const storedView = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const at = session === documentId ? undefined : places.get(session);
  const header = recordAt(storedView, at ?? stored.length, stored.length);
  if (header?.type !== cryptSessionRecord) throw damaged('its encryption header is missing');
  const keys = rc4Keys(stored.subarray(header.from, header.to), password);
  const plain = stored.slice();
  for (const [id, place] of places) {
    if (id === documentId || id === session || place + 8 > stored.length) continue;
    const key = keys(id);
    const head = stored.slice(place, place + 8);
    rc4(key, head);
    const end = place + 8 + new DataView(head.buffer).getUint32(4, true);
    if (end > stored.length) continue;
    const part = stored.slice(place, end);
    rc4(key, part);
    plain.set(part, place);
  }
  return plain;
}

/** Key in `places` under which the number of the document part is stored. */
const documentId = -1;

interface PersistOffsets {
  /**
   * Offset of the newest version of each part of the .ppt file, by part number. The file also contains versions from
   * earlier saves.
   */
  places: Map<number, number>;
  /**
   * Number of the part that holds the encryption header; `documentId` if an encrypted file names none, undefined if the
   * file is not encrypted.
   */
  session: number | undefined;
}

function readPersistOffsets(file: CompoundFile, view: DataView): PersistOffsets {
  const places = new Map<number, number>();
  let named: number | undefined;
  if (!file.has('Current User')) return { places, session: named };
  const current = file.read('Current User');
  if (current.length < 20) return { places, session: named };
  const user = new DataView(current.buffer, current.byteOffset, current.byteLength);
  const isEncrypted = user.getUint32(12, true) === encryptedToken;
  const visited = new Set<number>();
  for (let at = user.getUint32(16, true); at !== 0 && !visited.has(at);) {
    visited.add(at);
    const edit = recordAt(view, at, view.byteLength);
    if (edit === undefined || edit.type !== userEditRecord || edit.to - edit.from < 20) break;
    readDirectory(view, view.getUint32(edit.from + 12, true), places);
    if (!places.has(documentId)) places.set(documentId, view.getUint32(edit.from + 16, true));
    if (isEncrypted && edit.to - edit.from >= 32) named ??= view.getUint32(edit.from + 28, true);
    at = view.getUint32(edit.from + 8, true);
  }
  return { places, session: isEncrypted ? (named ?? documentId) : undefined };
}

function readDirectory(view: DataView, at: number, places: Map<number, number>): void {
  const record = recordAt(view, at, view.byteLength);
  if (record === undefined || record.type !== persistDirectoryRecord) return;
  for (let place = record.from; place + 4 <= record.to;) {
    const word = view.getUint32(place, true);
    const count = word >>> 20;
    for (let index = 0; index < count && place + 8 + index * 4 <= record.to; index++) {
      const id = (word & 0xfffff) + index;
      // Directories are read from the newest save to the oldest, so an existing entry is the newer version.
      if (!places.has(id)) places.set(id, view.getUint32(place + 4 + index * 4, true));
    }
    place += 4 + count * 4;
  }
}

/**
 * Returns the offset of the newest document record of a .ppt file: the one in the directory `places`, otherwise the
 * last one in the stream.
 */
function findDocument(view: DataView, places: ReadonlyMap<number, number>): number | undefined {
  const named = places.get(places.get(documentId) ?? documentId);
  if (named !== undefined && recordAt(view, named)?.type === documentRecord) return named;
  let last: number | undefined;
  for (const record of children(view, 0, view.byteLength)) if (record.type === documentRecord) last = record.from - 8;
  return last;
}

/** Returns the parts of a .ppt file that contain speaker notes, by the id of their slide. */
function notesBySlide(
  view: DataView,
  documentAt: number,
  places: ReadonlyMap<number, number>,
): Map<number, OfficeRecord> {
  const notes = new Map<number, OfficeRecord>();
  const document = recordAt(view, documentAt)!;
  for (const list of children(view, document.from, document.to)) {
    if (list.type !== slideListRecord || list.instance !== 2) continue;
    for (const entry of children(view, list.from, list.to)) {
      if (entry.type !== slidePersistRecord || entry.to - entry.from < 4) continue;
      const part = recordAt(view, places.get(view.getUint32(entry.from, true)) ?? view.byteLength);
      if (part?.type !== notesRecord) continue;
      for (const record of children(view, part.from, part.to))
        if (record.type === notesAtomRecord && record.to - record.from >= 4)
          notes.set(view.getUint32(record.from, true), part);
    }
  }
  return notes;
}

/** Returns the texts that slide masters display on every slide, without placeholder texts such as "Click to edit". */
function masterTexts(source: Source, documentAt: number, places: ReadonlyMap<number, number>): string[] {
  const { view } = source;
  const document = recordAt(view, documentAt)!;
  const texts: string[] = [];
  for (const list of children(view, document.from, document.to)) {
    if (list.type !== slideListRecord || list.instance !== 1) continue;
    for (const entry of children(view, list.from, list.to)) {
      if (entry.type !== slidePersistRecord || entry.to - entry.from < 4) continue;
      const master = recordAt(view, places.get(view.getUint32(entry.from, true)) ?? view.byteLength);
      if (master?.container)
        texts.push(...textBoxTexts(source, master.from, master.to, (shape) => isPlaceholder(view, shape)));
    }
  }
  return texts.map((text) => text.trim()).filter((text) => text !== '' && text !== '*');
}

function isPlaceholder(view: DataView, shape: OfficeRecord): boolean {
  if (shape.type !== shapeRecord) return shape.type === slideListRecord;
  for (const data of children(view, shape.from, shape.to))
    if (data.type === clientDataRecord)
      for (const record of children(view, data.from, data.to)) if (record.type === placeholderRecord) return true;
  return false;
}

/** Returns the header, footer and date texts that a document or slide part defines. */
function footerTexts(view: DataView, stream: Uint8Array, part: OfficeRecord): string[] {
  const texts: string[] = [];
  for (const container of children(view, part.from, part.to)) {
    if (container.type !== footersRecord) continue;
    for (const record of children(view, container.from, container.to))
      if (record.type === stringRecord) texts.push(wideText(stream.subarray(record.from, record.to)));
  }
  return texts.filter((text) => text.trim() !== '');
}

function wideText(bytes: Uint8Array): string {
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length & ~1));
}

function slideList(view: DataView, stream: Uint8Array, at: number): Slide[] {
  const document = recordAt(view, at, stream.length);
  if (document === undefined) return [];
  const slides: Slide[] = [];
  for (const list of children(view, document.from, document.to)) {
    // A list with instance 0 lists the slides; instances 1 and 2 list masters and notes.
    if (list.type !== slideListRecord || list.instance !== 0) continue;
    let kind = -1;
    for (const record of children(view, list.from, list.to)) {
      if (record.type === slidePersistRecord && record.to - record.from >= 4)
        slides.push({
          persistId: view.getUint32(record.from, true),
          id: record.to - record.from >= 16 ? view.getUint32(record.from + 12, true) : -1,
          texts: [],
        });
      else if (record.type === textHeaderRecord && record.to - record.from >= 4)
        kind = view.getUint32(record.from, true);
      else {
        const text = textOf(stream, record);
        if (text !== undefined) slides.at(-1)?.texts.push({ kind, text });
      }
    }
  }
  return slides;
}

function textOf(stream: Uint8Array, record: OfficeRecord): string | undefined {
  const bytes = stream.subarray(record.from, record.to);
  if (record.type === textCharsRecord) return wideText(bytes).replaceAll('\u000b', '\n');
  if (record.type === textBytesRecord) return new TextDecoder('latin1').decode(bytes).replaceAll('\u000b', '\n');
  return undefined;
}

/**
 * Returns the texts of the shapes stored between two offsets of a .ppt file. The list of slides does not contain them.
 * Containers for which `isSkipped` returns true are left out.
 */
function textBoxTexts(
  { view, stream, pictures }: Source,
  from: number,
  to: number,
  isSkipped: (container: OfficeRecord) => boolean = () => false,
): string[] {
  const texts: string[] = [];
  const waiting: Array<{ from: number; to: number }> = [{ from, to }];
  while (waiting.length > 0) {
    const span = waiting.pop()!;
    const inner: OfficeRecord[] = [];
    for (const record of children(view, span.from, span.to)) {
      const text = textOf(stream, record);
      if (text !== undefined) texts.push(text);
      else if (record.type === shapeOptionsRecord) texts.push(...pictures.shapeTexts(stream, record));
      // Skip slide masters and speaker notes inside the given range, because their text is read separately.
      else if (record.container && record.type !== 0x03f8 && record.type !== notesRecord && !isSkipped(record))
        inner.push(record);
    }
    waiting.push(...inner.toReversed());
  }
  return texts;
}
