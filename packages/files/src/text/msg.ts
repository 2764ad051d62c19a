import { openCompound, type CompoundFile } from '../containers/compound-file.ts';
import type { Attachment, DecodeJob, DecodedFile } from '../decode-types.ts';
import { damaged } from '../format-error.ts';
import { decodeBytes, isValidIn } from './charset.ts';
import { isMsg, msgProperties } from './file-signatures.ts';
import { htmlToText } from './html.ts';
import { inflateRtf } from './msg-rtf.ts';
import { mailMeta, withAttachments, writeMail, type Mail } from './mail.ts';
import { parseHeaders } from './mime.ts';
import { charsetOfCodePage } from './rtf-tables.ts';
import { writeRtf } from './rtf.ts';
import { TextBuilder } from './text-builder.ts';

/** Property numbers of Outlook mails and their attachments, as specified in MS-OXPROPS. */
const property = {
  subject: 0x0037,
  submitTime: 0x0039,
  transportHeaders: 0x007d,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  senderSmtp: 0x5d01,
  cc: 0x0e03,
  to: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  attachment: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  mimeType: 0x370e,
  contentId: 0x3712,
  htmlCodePage: 0x3fde,
  codePage: 0x3ffd,
} as const;

const ticksPerMs = 10_000;
/** Milliseconds between 1601, the epoch of Windows times, and 1970. */
const windowsEpochMs = 11_644_473_600_000;

export async function decodeMsg(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const mail = await readMsg(openCompound(bytes), 32, {
    job,
    depth: job.limits.maxNesting,
    mails: job.limits.maxAttachments,
    bytes: bytes.length * 2,
  });
  const out = new TextBuilder(job.limits.maxTextChars);
  writeMail(mail, out);
  return { ...out.done(mail.subject, { format: 'msg', ...mailMeta(mail) }), ...withAttachments(mail, job) };
}

/**
 * Remaining limits for reading one .msg file: nesting levels of mails, number of mails, and bytes of attachments. A
 * malicious file can refer to the same storage (folder in the file) many times and thus yield more data than its size.
 */
interface MsgBudget {
  readonly job: DecodeJob;
  depth: number;
  mails: number;
  bytes: number;
}

/**
 * Reads a mail from a storage (folder in the .msg file). `headerSize` is the size of the header in the mail's
 * properties stream, which differs between the outer mail and mails inside it.
 */
async function readMsg(file: CompoundFile, headerSize: number, budget: MsgBudget): Promise<Mail> {
  const { job } = budget;
  if (--budget.mails < 0) throw damaged('it contains itself');
  const values = new MsgProperties(file, headerSize);
  const sender = (await values.text(property.senderName)) || '';
  const address = (await values.text(property.senderSmtp)) || (await values.text(property.senderAddress));
  const headers = parseHeaders(await values.text(property.transportHeaders));
  const time = values.time(property.submitTime) ?? values.time(property.deliveryTime);
  const { body, html } = await bodyOf(values, job);
  const mail: Mail = {
    subject: await values.text(property.subject),
    from: address === '' || address === sender || address.startsWith('/') ? sender : `${sender} <${address}>`,
    to: await values.text(property.to),
    cc: await values.text(property.cc),
    date: headers.get('date') ?? (time === undefined ? '' : new Date(time).toUTCString()),
    body,
    attachments: [],
  };
  for (const name of file.storages) {
    if (!name.startsWith('__attach_version1.0_')) continue;
    const storage = file.storage(name)!;
    const embedded = storage.storage(`__substg1.0_${hex(property.attachment)}000D`);
    if (embedded && isMsg(embedded) && budget.depth > 0) {
      // An attached mail is stored as a set of properties, not as a file that could be returned. Its text and its
      // attachments are therefore added to the outer mail.
      budget.depth--;
      const inner = await readMsg(embedded, 24, budget);
      budget.depth++;
      const out = new TextBuilder(job.limits.maxTextChars);
      writeMail(inner, out);
      mail.body = `${mail.body}\n\n${out.done(undefined, {}).text}`;
      mail.attachments.push(...inner.attachments);
    } else if (!embedded) {
      const attached = await attachmentOf(storage, html);
      budget.bytes -= attached?.bytes.length ?? 0;
      if (budget.bytes < 0) throw damaged('its attachments are larger than the file');
      if (attached) mail.attachments.push(attached);
    }
  }
  return mail;
}

async function attachmentOf(storage: CompoundFile, html: string): Promise<Attachment | undefined> {
  const values = new MsgProperties(storage, 8);
  const bytes = values.bytes(property.attachment);
  const contentId = await values.text(property.contentId);
  if (bytes === undefined || (contentId !== '' && html.includes(`cid:${contentId}`))) return undefined;
  const name =
    (await values.text(property.longFileName)) ||
    (await values.text(property.fileName)) ||
    (await values.text(property.displayName)) ||
    'attachment';
  return { name, contentType: (await values.text(property.mimeType)).toLowerCase(), bytes };
}

async function bodyOf(values: MsgProperties, job: DecodeJob): Promise<{ body: string; html: string }> {
  const htmlBytes = values.bytes(property.html);
  const html =
    htmlBytes && htmlBytes.length > 0
      ? (await decodeBytes(htmlBytes, charsetOfCodePage(values.number(property.htmlCodePage) ?? 0))).text
      : await values.text(property.html);
  const plain = await values.text(property.body);
  if (plain.trim() !== '') return { body: plain, html };
  if (html.trim() !== '') return { body: await htmlToText(html, job), html };
  const packed = values.bytes(property.compressedRtf);
  if (packed === undefined || packed.length === 0) return { body: '', html };
  const out = new TextBuilder(job.limits.maxTextChars);
  writeRtf(inflateRtf(packed, job.limits.maxEntryBytes), out, job.limits);
  return { body: out.done(undefined, {}).text, html };
}

/**
 * Reads the properties of a mail or an attachment. Fixed-length properties share one stream; every other property has a
 * stream of its own.
 */
class MsgProperties {
  readonly #file: CompoundFile;
  readonly #fixed = new Map<number, DataView>();

  constructor(file: CompoundFile, headerSize: number) {
    this.#file = file;
    if (!file.has(msgProperties)) return;
    const bytes = file.read(msgProperties);
    for (let at = headerSize; at + 16 <= bytes.length; at += 16) {
      const entry = new DataView(bytes.buffer, bytes.byteOffset + at, 16);
      this.#fixed.set(entry.getUint16(2, true), entry);
    }
  }

  number(id: number): number | undefined {
    return this.#fixed.get(id)?.getUint32(8, true);
  }

  /** Returns a time in Unix milliseconds, or undefined if the property is not set. */
  time(id: number): number | undefined {
    const entry = this.#fixed.get(id);
    if (entry === undefined) return undefined;
    const ticks = entry.getUint32(12, true) * 2 ** 32 + entry.getUint32(8, true);
    return ticks === 0 ? undefined : Math.round(ticks / ticksPerMs) - windowsEpochMs;
  }

  bytes(id: number): Uint8Array | undefined {
    return this.#stream(id, '0102');
  }

  async text(id: number): Promise<string> {
    const wide = this.#stream(id, '001F');
    if (wide) return new TextDecoder('utf-16le').decode(wide).replace(/\0+$/, '');
    const narrow = this.#stream(id, '001E');
    if (narrow === undefined || narrow.length === 0) return '';
    if (isValidIn(narrow, 'utf-8')) return new TextDecoder().decode(narrow).replace(/\0+$/, '');
    const named = [property.codePage, property.htmlCodePage].map((page) => charsetOfCodePage(this.number(page) ?? 0));
    return (
      await decodeBytes(
        narrow,
        named.find((charset) => charset !== undefined),
      )
    ).text.replace(/\0+$/, '');
  }

  #stream(id: number, type: string): Uint8Array | undefined {
    const name = `__substg1.0_${hex(id)}${type}`;
    return this.#file.has(name) ? this.#file.read(name) : undefined;
  }
}

function hex(id: number): string {
  return id.toString(16).toUpperCase().padStart(4, '0');
}
