import type { CompoundFile } from '../containers/compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';
import { rc4, rc4Keys } from '../containers/legacy-crypto.ts';
import { withPassword } from '../containers/ooxml-crypto.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from '../decode-types.ts';

/** MS-PPT record types that contain text or lead to it. */
const documentRecord = 0x03e8;
const slideRecord = 0x03ee;
const notesRecord = 0x03f0;
const slidePersistRecord = 0x03f3;
const slideListRecord = 0x0ff0;
const textHeaderRecord = 0x0f9f;
const textCharsRecord = 0x0fa0;
const textBytesRecord = 0x0fa8;
const userEditRecord = 0x0ff5;
const persistDirectoryRecord = 0x1772;
const cryptSessionRecord = 0x2f14;
const encryptedToken = 0xf3d1c4df;

interface Rec {
  type: number;
  instance: number;
  container: boolean;
  from: number;
  to: number;
}

interface Slide {
  persistId: number;
  texts: Array<{ kind: number; text: string }>;
}

export function decodePpt(file: CompoundFile, job: DecodeJob): Decoded {
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
  const documentAt = places.get(places.get(documentId) ?? documentId);
  const slides = documentAt === undefined ? [] : slideList(view, stream, documentAt);
  if (slides.length > job.limits.maxPages)
    throw new FormatError(
      'too_large',
      `The presentation has ${slides.length} slides; the limit is ${job.limits.maxPages}.`,
    );
  let firstTitle: string | undefined;
  if (slides.length === 0) {
    // The file has no usable part directory: take the text of all text boxes in file order.
    for (const text of textBoxTexts(view, stream, 0, stream.length)) out.line(text);
  }
  for (const slide of slides) {
    const title = slide.texts.find((entry) => entry.kind === 0 || entry.kind === 6);
    if (title !== undefined) {
      firstTitle ??= title.text;
      out.heading(1, title.text);
    }
    out.gap();
    for (const entry of slide.texts) if (entry !== title) out.line(entry.text);
    const at = places.get(slide.persistId);
    if (at === undefined) continue;
    const record = recordAt(view, at, stream.length);
    if (record?.type === slideRecord)
      for (const text of textBoxTexts(view, stream, record.from, record.to)) out.line(text);
  }
  const { title, author } = readSummary(file);
  const generic = title === undefined || /^(?:powerpoint presentation|slide \d+)$/i.test(title);
  return out.done(generic ? firstTitle : title, {
    format: 'ppt',
    slides: slides.length,
    ...(author === undefined ? {} : { author }),
  });
}

function recordAt(view: DataView, at: number, end: number): Rec | undefined {
  if (at + 8 > end) return undefined;
  const head = view.getUint16(at, true);
  const to = at + 8 + view.getUint32(at + 4, true);
  if (to > end) return undefined;
  return { type: view.getUint16(at + 2, true), instance: head >> 4, container: (head & 0xf) === 0xf, from: at + 8, to };
}

function* children(view: DataView, from: number, to: number): Generator<Rec> {
  for (let at = from; ;) {
    const record = recordAt(view, at, to);
    if (record === undefined) return;
    yield record;
    at = record.to;
  }
}

/** Decrypts each part with the key of the part's number. The part directory is stored unencrypted. */
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

/** Key in `places` of the document part's own id. */
const documentId = -1;

interface PersistOffsets {
  /** Offset of the newest version of each part; a file keeps the versions of earlier saves. */
  places: Map<number, number>;
  /** Number of the part that holds the encryption header. */
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
      // Edits are visited newest first, so an existing entry is the newer version.
      if (!places.has(id)) places.set(id, view.getUint32(place + 4 + index * 4, true));
    }
    place += 4 + count * 4;
  }
}

function slideList(view: DataView, stream: Uint8Array, at: number): Slide[] {
  const document = recordAt(view, at, stream.length);
  if (document === undefined || document.type !== documentRecord) throw damaged('its document record is missing');
  const slides: Slide[] = [];
  for (const list of children(view, document.from, document.to)) {
    // Instance 0 lists slides; 1 and 2 list masters and notes.
    if (list.type !== slideListRecord || list.instance !== 0) continue;
    let kind = -1;
    for (const record of children(view, list.from, list.to)) {
      if (record.type === slidePersistRecord && record.to - record.from >= 4)
        slides.push({ persistId: view.getUint32(record.from, true), texts: [] });
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

function textOf(stream: Uint8Array, record: Rec): string | undefined {
  const bytes = stream.subarray(record.from, record.to);
  if (record.type === textCharsRecord)
    return new TextDecoder('utf-16le', { ignoreBOM: true })
      .decode(bytes.subarray(0, bytes.length & ~1))
      .replaceAll('\u000b', '\n');
  if (record.type === textBytesRecord) return new TextDecoder('latin1').decode(bytes).replaceAll('\u000b', '\n');
  return undefined;
}

/** Returns the text of text boxes, which is stored in the drawing records and not in the slide list. */
function textBoxTexts(view: DataView, stream: Uint8Array, from: number, to: number): string[] {
  const texts: string[] = [];
  const waiting: Array<{ from: number; to: number }> = [{ from, to }];
  while (waiting.length > 0) {
    const span = waiting.pop()!;
    const inner: Rec[] = [];
    for (const record of children(view, span.from, span.to)) {
      const text = textOf(stream, record);
      if (text !== undefined) texts.push(text);
      // Skip masters, which hold only "Click to edit", and notes, which are read with their slide.
      else if (record.container && record.type !== 0x03f8 && record.type !== notesRecord) inner.push(record);
    }
    waiting.push(...inner.toReversed());
  }
  return texts;
}
