import { createElement, useEffect, useMemo, type ReactNode } from 'react';

/**
 * Elements that are rendered. An element that is not listed is replaced by its contents; an element in `dropped` is
 * removed with its contents.
 */
const shownTags = new Set(
  (
    'a abbr address article aside b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption ' +
    'figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp section small span strong sub ' +
    'summary sup table tbody td tfoot th thead time tr u ul var'
  ).split(' '),
);
const dropped = new Set(
  'script style template noscript iframe object embed form input button select textarea svg math link meta base title head'.split(
    ' ',
  ),
);
const voidTags = new Set(['br', 'col', 'hr', 'img']);

/**
 * Limits of the rendered HTML. A file with more nodes than `maxNodes` is not rendered; nodes nested more deeply than
 * `maxDepth` are omitted.
 */
const maxNodes = 20_000;
const maxDepth = 100;

/**
 * Converts an HTML file into React elements, without scripts, external resources, forms and styles. Returns undefined
 * if the file has too many nodes.
 */
function renderHtml(source: string): ReactNode | undefined {
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  let count = 0;
  const convert = (node: Node, key: number, depth: number): ReactNode => {
    if (++count > maxNodes || depth > maxDepth) return null;
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    if (!(node instanceof Element)) return null;
    const tag = node.localName;
    if (dropped.has(tag)) return null;
    const children = (): ReactNode[] => [...node.childNodes].map((child, index) => convert(child, index, depth + 1));
    if (!shownTags.has(tag)) return createElement('span', { key }, ...children());
    const attributes = { key, ...attributesOf(node, tag) };
    return voidTags.has(tag)
      ? createElement(tag, attributes)
      : createElement(tag, attributes, ...inTable(tag, children()));
  };
  const shown = [...body.childNodes].map((node, index) => convert(node, index, 0));
  return count > maxNodes ? undefined : shown;
}

/** Removes the white space between the rows and cells of a table, because React reports an error for it. */
function inTable(tag: string, children: ReactNode[]): ReactNode[] {
  return ['table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup'].includes(tag)
    ? children.filter((child) => typeof child !== 'string')
    : children;
}

function attributesOf(element: Element, tag: string): Record<string, unknown> {
  const of = (name: string): string => element.getAttribute(name) ?? '';
  if (tag === 'a' && /^(https?:|mailto:)/i.test(of('href').trim()))
    return { href: of('href').trim(), target: '_blank', rel: 'noopener noreferrer nofollow' };
  // Show only images embedded in the file. Loading an external image would tell its server that the file was opened.
  if (tag === 'img')
    return { alt: of('alt'), ...(/^data:image\/(png|jpeg|gif|webp);/i.test(of('src')) ? { src: of('src') } : {}) };
  if (tag === 'td' || tag === 'th') return { colSpan: spanOf(of('colspan')), rowSpan: spanOf(of('rowspan')) };
  return {};
}

function spanOf(text: string): number | undefined {
  const count = Number.parseInt(text, 10);
  return count > 1 && count <= 1000 ? count : undefined;
}

/** Shows an HTML file. Calls `onUnfit` if it has too many nodes. */
export function HtmlPreview({ source, onUnfit }: { source: string; onUnfit: () => void }): ReactNode {
  const shown = useMemo(() => renderHtml(source), [source]);
  const isUnfit = shown === undefined;
  useEffect(() => {
    if (isUnfit) onUnfit();
  }, [isUnfit, onUnfit]);
  return <div className="prose rounded-xl border border-line bg-raised px-6 py-8 md:px-12 md:py-12">{shown}</div>;
}
