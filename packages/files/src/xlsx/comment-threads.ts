import type { ZipArchive } from '../zip/reader.ts';
import { type Comment, type CommentEntry, type Region, regionOf } from '@sheaf/engine/internal/document';
import { cellName, parseRect } from '@sheaf/engine';
import { partText, type Relationship } from '../containers/package-parts.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';
import type { PartSink } from './passthrough/passthrough-writer.ts';
import { childrenNamed, localNameOf, parseXml, printXml, textOf } from './xml-tree.ts';

export const threadNamespace = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
const personRelation = 'http://schemas.microsoft.com/office/2017/10/relationships/person';
const peoplePart = 'persons/people.xml';

/** Display names of comment authors by person id. */
export type Persons = ReadonlyMap<string, string>;

export function readPersons(archive: ZipArchive, relations: Iterable<Relationship>): Persons {
  const found = new Map<string, string>();
  for (const { kind, target, isExternal } of relations) {
    const xml = kind === 'person' && !isExternal ? partText(archive, target) : undefined;
    const root = xml === undefined ? undefined : parseXml(xml, target);
    for (const { attributes } of root ? childrenNamed(root, 'person') : [])
      found.set(attributes.get('id') ?? '', attributes.get('displayName') ?? '');
  }
  return found;
}

/** Reads a sheet's comment threads in file order. A reply whose parent is missing starts a new thread. */
export function readThreads(xml: string, part: string, persons: Persons): Comment[] {
  const root = parseXml(xml, part);
  if (!root) return [];
  const threads: { region: Region; entries: CommentEntry[]; isDone: boolean }[] = [];
  const byId = new Map<string, (typeof threads)[number]>();
  for (const one of childrenNamed(root, 'threadedComment')) {
    const { attributes } = one;
    const rect = parseRect(attributes.get('ref') ?? '');
    if (!rect) continue;
    const id = attributes.get('id') ?? '';
    const person = attributes.get('personId') ?? '';
    const more = one.children
      .flatMap((child) =>
        typeof child === 'string' || localNameOf(child.tag) === 'text' ? [] : printXml(child, threadNamespace),
      )
      .join('');
    let thread = byId.get(attributes.get('parentId') ?? '');
    if (!thread) {
      thread = {
        region: regionOf({ ...rect, bottom: rect.top, right: rect.left }),
        entries: [],
        isDone: ['1', 'true'].includes(attributes.get('done') ?? ''),
      };
      threads.push(thread);
    }
    byId.set(id, thread);
    thread.entries.push({
      id: `entry_${thread.entries.length + 1}`,
      author: persons.get(person) ?? '',
      at: timestampOf(attributes.get('dT')),
      text: childrenNamed(one, 'text').map(textOf).join(''),
      kept: { id, person, ...(more === '' ? {} : { more }) },
    });
  }
  return threads.map(({ region, entries, isDone }, index) => ({
    id: `thread_${index + 1}`,
    regions: [region],
    entries,
    ...(isDone ? { resolved: true as const } : {}),
  }));
}

/** Returns a timestamp in milliseconds, 0 if invalid. Times in files are UTC, usually without a zone. */
function timestampOf(text = ''): number {
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isFinite(at) ? Math.max(0, at) : 0;
}

/** Generates person ids for comment authors that have none in the imported file, and writes the list of persons. */
export class PersonList {
  readonly #ids = new Map<string, string>();

  idOf(author: string): string {
    let id = this.#ids.get(author);
    if (id === undefined) {
      id = guid(`person ${author}`);
      this.#ids.set(author, id);
    }
    return id;
  }

  /** Writes the persons part. Must be called after all sheets are written, because writing them adds persons. */
  write({ zip, contents }: PartSink, workbook: RelationshipsWriter): void {
    if (this.#ids.size === 0) return;
    const list = [...this.#ids].map(
      ([name, id]) =>
        `<person displayName="${xmlEscape(name)}" id="${id}" userId="${xmlEscape(name)}" providerId="None"/>`,
    );
    zip.add(
      `xl/${peoplePart}`,
      `${xmlDeclaration}<personList xmlns="${threadNamespace}" xmlns:x="${mainNamespace}">${list.join('')}</personList>`,
    );
    contents.add(`xl/${peoplePart}`, 'application/vnd.ms-excel.person+xml');
    workbook.addTyped(personRelation, peoplePart, false);
  }
}

/**
 * Returns the id of a comment thread: the id in the imported file, or one derived from the comment. The thread's
 * placeholder note, which older programs show instead, refers to the thread by this id.
 */
export function threadId({ id, entries }: Comment, sheet: number): string {
  return entries[0]?.kept?.id || guid(`${sheet} ${id}`);
}

export function threadXml(thread: Comment, sheet: number, people: PersonList): string {
  const [row, col] = thread.regions[0] ?? [0, 0];
  const first = threadId(thread, sheet);
  return thread.entries
    .map(({ id, author, at, text, kept }, index) => {
      const own = index === 0 ? first : kept?.id || guid(`${sheet} ${thread.id} ${id}`);
      const time = at > 0 ? ` dT="${new Date(at).toISOString().slice(0, -2)}"` : '';
      return (
        `<threadedComment ref="${cellName(row, col)}"${time} personId="${xmlEscape(kept?.person ?? people.idOf(author))}" ` +
        `id="${xmlEscape(own)}"${index === 0 ? '' : ` parentId="${xmlEscape(first)}"`}` +
        `${index === 0 && thread.resolved ? ' done="1"' : ''}><text>${xmlEscape(text)}</text>${kept?.more ?? ''}</threadedComment>`
      );
    })
    .join('');
}

/** Returns the text of a thread's placeholder note, for programs that support only notes. */
export function fallbackNoteText({ entries }: Comment): string {
  const said = entries.map(({ text }, index) => `${index === 0 ? 'Comment' : 'Reply'}:\n    ${text}`);
  return `[Threaded comment]\n\nThis program shows a thread of comments as a note; changes to the note are not kept.\n\n${said.join('\n')}`;
}

/**
 * Returns a 128-bit hash of the text in GUID format. It is deterministic, so that repeated exports write the same id.
 */
function guid(text: string): string {
  let hex = '';
  for (let seed = 0; seed < 4; seed++) {
    let hash = 0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1);
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hex += ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
  }
  const at = (from: number, to: number): string => hex.slice(from, to).toUpperCase();
  return `{${at(0, 8)}-${at(8, 12)}-4${at(13, 16)}-A${at(17, 20)}-${at(20, 32)}}`;
}
