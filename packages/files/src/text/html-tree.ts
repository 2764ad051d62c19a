import { elementNode, textNode, type DomDocument, type DomElement, type DomNode } from './dom.ts';

/** What stands in the head as long as nothing else has come, wherever its tags are or are left out. */
const metadata = new Set([
  'BASE',
  'BASEFONT',
  'BGSOUND',
  'LINK',
  'META',
  'NOFRAMES',
  'NOSCRIPT',
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'TITLE',
]);
const frame = new Set(['HTML', 'HEAD', 'BODY']);

/**
 * A page as a tree with a head and a body. The tags of html, head and body may be left out, stand more than once or end
 * early; as in a browser, the first thing that is no metadata begins the body, and all that follows is in it.
 */
export async function parsePage(html: string): Promise<DomDocument> {
  const { parseHTML } = await import('linkedom');
  // Where a browser's own types are known too (the page's check), linkedom's document is taken for one of those.
  const parse = (source: string): DomDocument => parseHTML(source).document as unknown as DomDocument;
  const page = parse('<!doctype html><html><head></head><body></body></html>');
  const [root, head, body] = ['html', 'head', 'body'].map((name) => page.querySelector(name)!) as [
    DomElement,
    DomElement,
    DomElement,
  ];
  let isBody = false;
  const language = place(parse(html));
  if (language !== undefined) root.setAttribute('lang', language);
  return page;

  /** Puts what is inside where it belongs, and says which language the page names. */
  function place(from: DomNode): string | undefined {
    let found: string | undefined;
    const waiting = [...from.childNodes].toReversed();
    while (waiting.length > 0) {
      const node = waiting.pop()!;
      const name = node.nodeType === elementNode ? node.nodeName.toUpperCase() : '';
      if (frame.has(name)) {
        if (name === 'HTML') found ??= (node as DomElement).getAttribute('lang') ?? undefined;
        if (name === 'BODY') isBody = true;
        for (const child of [...node.childNodes].toReversed()) waiting.push(child);
        continue;
      }
      if (node.nodeType === textNode && (node.nodeValue ?? '').trim() === '' && !isBody) continue;
      if (node.nodeType === elementNode ? !metadata.has(name) : node.nodeType === textNode) isBody = true;
      if (node.nodeType === elementNode || node.nodeType === textNode) (isBody ? body : head).appendChild(node);
    }
    return found;
  }
}
