import { createHash } from 'node:crypto';
import type { Attachment, DecodeJob, DecodedFile } from '../decode-types.ts';
import { FormatError } from '../format-error.ts';
import { htmlToText } from './html.ts';
import { decodeWords, parseMime, partText, type MimePart } from './mime.ts';
import { oneLine, TextBuilder } from './text-builder.ts';

/** A parsed mail, independent of the file format (.eml or Outlook .msg). */
export interface Mail {
  subject: string;
  from: string;
  to: string;
  cc: string;
  /** Date of the mail as text, as in its header; '' if it has none. */
  date: string;
  body: string;
  attachments: Attachment[];
}

export async function decodeEml(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const out = new TextBuilder(job.limits.maxTextChars);
  const mail = await readMail(bytes, job);
  writeMail(mail, out);
  return { ...out.done(mail.subject, { format: 'eml', ...mailMeta(mail) }), ...withAttachments(mail, job) };
}

/**
 * Decodes a mailbox file by writing its mails one after another. Attachments are not extracted; the text lists their
 * names.
 */
export async function decodeMbox(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const out = new TextBuilder(job.limits.maxTextChars);
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = mailStarts(raw);
  if (starts.length > job.limits.maxEntries)
    throw new FormatError(
      'too_large',
      `The mailbox contains ${starts.length} mails; the limit is ${job.limits.maxEntries}. Split it and upload the parts.`,
    );
  for (const [index, start] of starts.entries()) {
    const line = raw.indexOf(0x0a, start);
    const end = starts[index + 1] ?? raw.length;
    if (line === -1 || line >= end) continue;
    out.page(`mail ${index + 1}`);
    // Mailbox files escape lines that begin with "From " by a leading `>`; remove one.
    const mail = Buffer.from(raw.toString('latin1', line + 1, end).replace(/^>(>*From )/gm, '$1'), 'latin1');
    writeMail(await readMail(mail, job), out);
  }
  return out.done(undefined, { format: 'mbox', mails: starts.length });
}

function mailStarts(raw: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at !== -1;) {
    if (raw.toString('latin1', at, at + 5) === 'From ' && (at === 0 || isBlankBefore(raw, at))) starts.push(at);
    const next = raw.indexOf('\nFrom ', at, 'latin1');
    at = next === -1 ? -1 : next + 1;
  }
  return starts;
}

function isBlankBefore(raw: Buffer, at: number): boolean {
  return raw[at - 2] === 0x0a || (raw[at - 2] === 0x0d && raw[at - 3] === 0x0a);
}

export function withAttachments(mail: Mail, job: DecodeJob): { attachments?: Attachment[]; remark?: string } {
  const seen = new Set<string>();
  const unique = mail.attachments.filter(({ name, bytes }) => {
    const key = `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
    return bytes.length > 0 && !seen.has(key) && seen.add(key);
  });
  if (unique.length === 0) return {};
  const limit = job.limits.maxAttachments;
  return {
    attachments: unique.slice(0, limit),
    ...(unique.length > limit
      ? { remark: `The mail has ${unique.length} attachments; only the first ${limit} are items of their own.` }
      : {}),
  };
}

export function mailMeta({ from, date }: Mail): { author?: string; publishedAt?: string } {
  const at = Date.parse(date);
  const author = oneLine(from, 200);
  return {
    ...(author === '' ? {} : { author }),
    ...(Number.isNaN(at) ? {} : { publishedAt: new Date(at).toISOString() }),
  };
}

export function writeMail(mail: Mail, out: TextBuilder): void {
  out.heading(1, mail.subject);
  for (const [label, value] of [
    ['From', mail.from],
    ['To', mail.to],
    ['Cc', mail.cc],
    ['Date', mail.date],
  ] as const)
    if (value.trim() !== '') out.line(`${label}: ${oneLine(value, 2_000)}`);
  const names = mail.attachments.map(({ name }) => oneLine(name)).filter((name) => name !== '');
  if (names.length > 0) out.line(`Attachments: ${[...new Set(names)].join(', ')}`);
  out.paragraph(mail.body);
}

async function readMail(bytes: Uint8Array, job: DecodeJob): Promise<Mail> {
  const root = parseMime(bytes, job.limits);
  const header = (name: string): string => decodeWords(root.headers.get(name) ?? '');
  const found: MailParts = { texts: [], pages: [], attachments: [] };
  await collect(root, found, job);
  return {
    subject: header('subject'),
    from: header('from'),
    to: header('to'),
    cc: header('cc'),
    date: header('date'),
    body: found.texts.join('\n\n'),
    attachments: found.attachments
      // Omit pictures that an HTML body of the mail displays; they belong to the text.
      .filter(({ contentId }) => contentId === '' || !found.pages.some((page) => page.includes(`cid:${contentId}`)))
      .map(({ attachment }) => attachment),
  };
}

interface MailParts {
  texts: string[];
  /** HTML bodies of the mail, used to find out which attached pictures they display. */
  pages: string[];
  attachments: { attachment: Attachment; contentId: string }[];
}

async function collect(part: MimePart, found: MailParts, job: DecodeJob): Promise<void> {
  if (part.parts.length > 0) {
    if (part.type === 'multipart/alternative') await collectBest(part.parts, found, job);
    else for (const each of part.parts) await collect(each, found, job);
    return;
  }
  const isText = part.type === 'text/plain' || part.type === 'text/html' || part.type === 'message/delivery-status';
  if (isText && part.disposition !== 'attachment' && part.name === '') {
    const text = await partText(part);
    if (part.type === 'text/html') found.pages.push(text);
    found.texts.push(part.type === 'text/html' ? await htmlToText(text, job) : text);
    return;
  }
  if (part.type.startsWith('multipart/')) return;
  const bytes = part.bytes();
  const attachment = { name: part.name || impliedName(part, bytes, job), contentType: part.type, bytes };
  found.attachments.push({ attachment, contentId: part.contentId });
}

/**
 * Collects the text of one of the alternative versions of a mail body: the first (usually plain text) that is at least
 * half as long as the longest. Keeps the attachments of all versions.
 */
async function collectBest(parts: readonly MimePart[], found: MailParts, job: DecodeJob): Promise<void> {
  const versions: MailParts[] = [];
  for (const part of parts) {
    const version: MailParts = { texts: [], pages: [], attachments: [] };
    await collect(part, version, job);
    versions.push(version);
  }
  const lengthOf = ({ texts }: MailParts): number => texts.join('').trim().length;
  const longest = Math.max(0, ...versions.map(lengthOf));
  const best = versions.find((version) => lengthOf(version) >= longest / 2);
  if (best) found.texts.push(...best.texts);
  for (const version of versions) {
    found.pages.push(...version.pages);
    found.attachments.push(...version.attachments);
  }
}

function impliedName(part: MimePart, bytes: Uint8Array, job: DecodeJob): string {
  if (part.type === 'message/rfc822') {
    const subject = decodeWords(parseMime(bytes.subarray(0, 65_536), job.limits).headers.get('subject') ?? '');
    return `${oneLine(subject, 200) || 'mail'}.eml`;
  }
  if (part.type === 'text/calendar') return 'invite.ics';
  const extension = /^[a-z]+\/(?:x-)?([a-z0-9]{1,8})$/.exec(part.type)?.[1];
  return extension === undefined ? 'attachment' : `attachment.${extension}`;
}
