import { elementNode, textNode, type DomElement, type DomNode } from './dom-types.ts';
import type { TextBuilder } from './text-builder.ts';

const silent = new Set(
  `SCRIPT STYLE NOSCRIPT TEMPLATE TITLE IFRAME OBJECT EMBED CANVAS VIDEO AUDIO SELECT BUTTON INPUT`.split(/\s+/),
);
/** Elements whose text does not belong to the text of the page. */
const foreign = new Set(['SVG', 'MATH']);
/**
 * Elements inside SVG or MathML that may contain HTML; their content is skipped. Anywhere else inside SVG or MathML, an
 * element of `endsForeign` ends the SVG or MathML element even without a closing tag.
 */
const foreignInside = new Set(['FOREIGNOBJECT', 'DESC', 'ANNOTATION-XML', 'MI', 'MO', 'MN', 'MS', 'MTEXT']);
const endsForeign = new Set(
  `B BIG BLOCKQUOTE BODY BR CENTER CODE DD DIV DL DT EM EMBED H1 H2 H3 H4 H5 H6 HEAD HR I IMG LI LISTING MENU META NOBR
OL P PRE RUBY S SMALL SPAN STRONG STRIKE SUB SUP TABLE TT U UL VAR`.split(/\s+/),
);
const block = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HR
HTML LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL BR`.split(/\s+/),
);

/**
 * Writes the visible text of a DOM tree to `out`: blocks on separate lines, table cells separated by tabs. Iterative,
 * because trees can be deep. Elements for which `isSkipped` returns true are left out.
 */
export function writeDom(root: DomNode, out: TextBuilder, isSkipped?: (element: DomElement) => boolean): void {
  let line = '';
  let headingLevel = 0;
  let drawing: DomNode | undefined;
  const flush = (): void => {
    const text = line;
    line = '';
    if (headingLevel > 0) out.heading(headingLevel, text);
    else out.line(text);
  };
  const enter = (node: DomNode): boolean => {
    if (node.nodeType === textNode) {
      if (drawing) return false;
      const raw = node.nodeValue ?? '';
      line += insidePre(node) ? raw : raw.replace(/\s+/g, ' ');
      return false;
    }
    if (node.nodeType !== elementNode) return false;
    const name = node.nodeName.toUpperCase();
    if (silent.has(name) || (node !== root && isSkipped?.(node as DomElement))) return false;
    if (drawing) {
      if (foreignInside.has(name)) return false;
      if (!endsForeign.has(name)) return true;
      drawing = undefined;
    }
    if (foreign.has(name)) {
      drawing = node;
      return true;
    }
    if (/^H[1-6]$/.test(name)) {
      flush();
      headingLevel = Number(name[1]);
    } else if (block.has(name)) flushOutsideHeading();
    else if ((name === 'TD' || name === 'TH') && line.trim() !== '') line += '\t';
    return true;
  };
  const flushOutsideHeading = (): void => {
    if (headingLevel > 0) line += ' ';
    else flush();
  };
  const leave = (node: DomNode): void => {
    if (node === drawing) drawing = undefined;
    if (drawing) return;
    const name = node.nodeName.toUpperCase();
    if (/^H[1-6]$/.test(name)) {
      flush();
      headingLevel = 0;
    } else if (block.has(name)) {
      flushOutsideHeading();
      if (name === 'P') out.newline();
    }
  };
  let node: DomNode | null = root;
  let going = enter(root) ? root.firstChild : null;
  if (going === null) {
    flush();
    return;
  }
  node = going;
  while (node !== null && node !== root) {
    going = enter(node) ? node.firstChild : null;
    if (going === null) {
      if (node.nodeType === elementNode) leave(node);
      while (node !== null && node !== root && node.nextSibling === null) {
        node = node.parentNode;
        if (node !== null) leave(node);
      }
      going = node === null || node === root ? null : node.nextSibling;
    }
    node = going;
  }
  flush();
}

function insidePre(node: DomNode): boolean {
  for (let at = node.parentNode, steps = 0; at !== null && steps < 3; at = at.parentNode, steps++)
    if (at.nodeName.toUpperCase() === 'PRE') return true;
  return false;
}
