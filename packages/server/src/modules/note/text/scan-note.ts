import type { LinkKind, NoteScan, ScannedLink, ScannedTag } from '../../../ports/note-text.ts';
import { cleanTag, tagKey } from '../../../lib/tag-key.ts';
import { blankInlineCode, clip, markdownLines } from './markdown-lines.ts';
import { taskAt } from './tasks.ts';
import { isEscaped, titleKeyOf, wikiLink } from './wiki-links.ts';

const maxLinks = 1000;
const maxTags = 200;
const maxTasks = 5000;
const maxSentenceLength = 240;

const label = String.raw`\[((?:[^[\]\n\\]|\\.){0,300})\]`;
const path = String.raw`(?:\/notes\/|\/sheet\/|\/wiki\/[\w-]{1,80}\/item\/|sheaf:\/\/(?:note|knowledge|sheet|file)\/)`;
const rest = String.raw`(?:[?#][^\s)>]{0,300})?>?(?:\s+"[^"\n]{0,300}")?`;
/** Matches a Markdown link whose URL names a note, a knowledge base item or a spreadsheet of this installation. */
const addressLink = new RegExp(String.raw`${label}\(<?${path}([\w-]{1,80})${rest}\)`, 'g');
const webAddress = /\b(?:https?|sheaf):\/\/[^\s<>]{1,2000}|\]\([^)\n]{0,2000}\)/g;
const tagWord = /(?<=^|[\s,;:!?"'（(「【，、。；：！？])#(\p{L}[\p{L}\p{M}\p{N}_/-]{0,99})/gu;

/** Finds the links, tags and tasks of a note. Ignores code, and limits the length of each list. */
export function scanNote(markdown: string): NoteScan {
  const links = new Map<string, ScannedLink>();
  const tags = new Map<string, ScannedTag>();
  const scan: NoteScan = { links: [], tags: [], tasks: [] };
  // Each link is stored with the sentence around it. Limit the total length of these sentences to the length of the
  // text. Otherwise a line with many links would be stored once per link.
  const budget = { left: markdown.length };
  // Replace the character NUL, because PostgreSQL cannot store it in a text.
  for (const [index, line] of markdownLines(markdown.replaceAll('\0', '\ufffd')).entries()) {
    if (line.isCode || line.text === '') continue;
    const task = scan.tasks.length < maxTasks ? taskAt(line, index + 1) : undefined;
    if (task) scan.tasks.push(task);
    if (!/[[#]/.test(line.text)) continue;
    const text = blankInlineCode(line.text);
    if (text.includes('[')) addLinks(links, text, index + 1, budget);
    if (text.includes('#')) addTags(tags, text);
  }
  return { ...scan, links: [...links.values()], tags: [...tags.values()] };
}

function addLinks(links: Map<string, ScannedLink>, text: string, line: number, budget: { left: number }): void {
  for (const match of text.matchAll(wikiLink)) {
    if (isEscaped(text, match.index)) continue;
    const [whole, title, heading] = match;
    if (title!.trim() === '') continue;
    const link = {
      kind: '' as const,
      targetId: '',
      title: title!.trim(),
      titleKey: titleKeyOf(title!),
      heading: (heading ?? '').trim(),
    };
    addLink(links, link, { text, line, from: match.index, to: match.index + whole.length }, budget);
  }
  if (!text.includes('](')) return;
  for (const match of text.matchAll(addressLink)) {
    const [whole, words, id] = match;
    const kind = kindOfId(id!);
    if (kind === undefined || isEscaped(text, match.index)) continue;
    const link = { kind, targetId: id!, title: words!, titleKey: '', heading: '' };
    addLink(links, link, { text, line, from: match.index, to: match.index + whole.length }, budget);
  }
}

function kindOfId(id: string): LinkKind | undefined {
  const [prefix] = id.split('_', 1);
  return prefix === 'note' ? 'note' : prefix === 'media' ? 'item' : prefix === 'doc' ? 'sheet' : undefined;
}

interface Place {
  text: string;
  line: number;
  from: number;
  to: number;
}

function addLink(
  links: Map<string, ScannedLink>,
  link: Omit<ScannedLink, 'line' | 'sentence' | 'occurrences'>,
  place: Place,
  budget: { left: number },
): void {
  const key = `${link.targetId}\n${link.titleKey}\n${link.heading}`;
  const known = links.get(key);
  if (known) known.occurrences += 1;
  else if (links.size < maxLinks) {
    const sentence = budget.left > 0 ? sentenceAround(place) : '';
    budget.left -= sentence.length;
    links.set(key, { ...link, line: place.line, sentence, occurrences: 1 });
  }
}

/** Returns the sentence that contains a link, without the markup of lists, quotes and headings. */
function sentenceAround({ text, from, to }: Place): string {
  const reach = Math.max(0, from - maxSentenceLength);
  const before = text.slice(reach, from);
  const after = text.slice(to, to + maxSentenceLength);
  const start = Math.max(
    ...['. ', '! ', '? ', '。', '！', '？'].map((mark) => {
      const at = before.lastIndexOf(mark);
      return at < 0 ? 0 : at + mark.length;
    }),
  );
  const end = /[.!?](?=\s|$)|[。！？]/.exec(after);
  const sentence = before.slice(start) + text.slice(from, to) + after.slice(0, end ? end.index + 1 : after.length);
  return clip(
    sentence.trim().replace(/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:#{1,6}\s+)?/, ''),
    maxSentenceLength,
  );
}

function addTags(tags: Map<string, ScannedTag>, text: string): void {
  const words = text.replace(webAddress, (match) => ' '.repeat(match.length));
  for (const [, tag] of words.matchAll(tagWord)) {
    const key = tagKey(tag!);
    if (!tags.has(key) && tags.size < maxTags) tags.set(key, { tag: cleanTag(tag!), key });
  }
}
