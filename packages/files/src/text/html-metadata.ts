import type { DomDocument } from './dom-types.ts';
import { oneLine } from './text-builder.ts';
import type { DecodedMeta } from '../decode-types.ts';

export interface ArticleMeta extends DecodedMeta {
  title?: string;
}

/** Reads a page's metadata from meta tags, JSON-LD and the markup of WeChat official-account articles. */
export function articleMeta(document: DomDocument, html: string, url: string | undefined): ArticleMeta {
  const tags = metaTags(document);
  const linked = linkedData(document);
  const first = (...names: string[]): string | undefined =>
    names.map((name) => tags.get(name)).find((value) => value !== undefined && value !== '');
  const textOf = (selector: string): string | undefined =>
    oneLine(document.querySelector(selector)?.textContent ?? '') || undefined;

  const title =
    textOf('#activity-name') ?? first('og:title', 'twitter:title') ?? linked.title ?? textOf('title') ?? textOf('h1');
  const author =
    first('author', 'article:author', 'og:article:author', 'byl', 'dc.creator', 'parsely-author') ??
    linked.author ??
    textOf('#js_author_name') ??
    textOf('[rel=author]');
  const siteName = textOf('#js_name') ?? first('og:site_name', 'application-name');
  const published =
    first(
      'article:published_time',
      'og:article:published_time',
      'datepublished',
      'date',
      'pubdate',
      'publishdate',
      'dc.date',
      'dc.date.issued',
      'parsely-pub-date',
    ) ??
    linked.published ??
    scriptTime(html) ??
    document.querySelector('time[datetime]')?.getAttribute('datetime') ??
    undefined;
  const cover =
    first('og:image:secure_url', 'og:image', 'twitter:image', 'twitter:image:src') ??
    linked.cover ??
    scriptValue(html, 'msg_cdn_url');
  const meta: ArticleMeta = {
    title: title === undefined ? undefined : oneLine(title),
    author: author === undefined || /^https?:/i.test(author) ? undefined : oneLine(author, 200),
    siteName: siteName === undefined ? undefined : oneLine(siteName, 200),
    description: oneLine(first('og:description', 'description', 'twitter:description') ?? '', 500) || undefined,
    publishedAt: isoTime(published),
    cover: webAddress(cover, url),
  };
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
}

function metaTags(document: DomDocument): Map<string, string> {
  const tags = new Map<string, string>();
  let seen = 0;
  for (const tag of document.querySelectorAll('meta')) {
    if (++seen > 500) break;
    const name = (
      tag.getAttribute('property') ??
      tag.getAttribute('name') ??
      tag.getAttribute('itemprop') ??
      ''
    ).toLowerCase();
    const content = tag.getAttribute('content');
    if (name !== '' && content !== null && !tags.has(name)) tags.set(name, content.trim());
  }
  return tags;
}

interface Linked {
  title?: string;
  author?: string;
  published?: string;
  cover?: string;
}

function linkedData(document: DomDocument): Linked {
  const found: Linked = {};
  let seen = 0;
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    if (++seen > 10) break;
    const raw = script.textContent ?? '';
    if (raw.length > 200_000) continue;
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch (error) {
      if (error instanceof SyntaxError) continue;
      throw error;
    }
    for (const entry of entriesOf(value)) {
      found.title ??= text(entry['headline']);
      found.author ??= nameOf(entry['author']);
      found.published ??= text(entry['datePublished']);
      found.cover ??= addressOf(entry['image']);
    }
  }
  return found;
}

function entriesOf(value: unknown): Array<Record<string, unknown>> {
  const list = Array.isArray(value) ? value : [value];
  return list
    .filter(isObject)
    .flatMap((entry) => [entry, ...(Array.isArray(entry['@graph']) ? entry['@graph'].filter(isObject) : [])])
    .slice(0, 100);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function nameOf(value: unknown): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? text(one['name']) : text(one);
}

function addressOf(value: unknown): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? text(one['url']) : text(one);
}

/**
 * Returns the publish time of a WeChat article as an ISO date. The page holds it in a script as Unix seconds: `var ct =
 * "1700000000"`.
 */
function scriptTime(html: string): string | undefined {
  const seconds = /\bvar\s+ct\s*=\s*["'](\d{9,11})["']/.exec(html)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}

function scriptValue(html: string, name: string): string | undefined {
  return new RegExp(`\\bvar\\s+${name}\\s*=\\s*["']([^"'\\s]{1,2000})["']`).exec(html)?.[1];
}

function isoTime(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const chinese = /(\d{4})\s*[年/.-]\s*(\d{1,2})\s*[月/.-]\s*(\d{1,2})/.exec(raw);
  const parsed = Date.parse(raw);
  if (!Number.isNaN(parsed)) return new Date(parsed).toISOString();
  if (chinese === null) return undefined;
  const date = new Date(Date.UTC(Number(chinese[1]), Number(chinese[2]) - 1, Number(chinese[3])));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function webAddress(raw: string | undefined, base: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  try {
    const address = new URL(raw, base);
    return address.protocol === 'http:' || address.protocol === 'https:' ? address.href : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
