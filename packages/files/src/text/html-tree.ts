import { elementNode, textNode, type DomDocument, type DomElement, type DomNode } from './dom-types.ts';

/** Elements that the HTML parser puts into the head, even if the page has no head tag. */
const metadata = new Set('BASE BASEFONT BGSOUND LINK META NOFRAMES NOSCRIPT SCRIPT STYLE TEMPLATE TITLE'.split(' '));
const frame = new Set(['HTML', 'HEAD', 'BODY']);

/**
 * Parses a page into a document with one head and one body. As in a browser, html, head and body tags may be missing or
 * repeated; the first element that is not metadata starts the body.
 */
export async function parseHtml(html: string): Promise<DomDocument> {
  const { parseHTML } = await import('linkedom');
  // The cast is needed if the compiler also loads the browser's DOM types.
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

  /** Moves the children of `from` to the head or the body. Returns the language that the page declares, if any. */
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
