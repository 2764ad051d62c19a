import type { CellRange } from '../cell-geometry.ts';
import {
  parseColor,
  parseDeclarations,
  styleFromCss,
  parseRules,
  type Declarations,
  type PastedStyle,
} from './parse-css-style.ts';
import type { PastedCell, PastedTable } from './pasted-table.ts';

const plain: PastedStyle = { format: {}, lines: {} };
const none: PastedCell = { text: '', look: plain };
/** Maximum rowspan and colspan, so that pasted HTML cannot create a huge table. */
const maxSpanned = 1000;

/** Parses the first table in HTML. Returns undefined if there is no table. The HTML is never rendered. */
export function parseHtmlTable(html: string): PastedTable | undefined {
  const table = new DOMParser().parseFromString(keepTableMarkup(html), 'text/html').querySelector('table');
  if (!table) return undefined;
  const rules = parseRules(
    [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)].map(([, css]) => css!).join('\n'),
  );
  const rows: PastedCell[][] = [];
  const merges: CellRange[] = [];
  const taken = new Set<string>();
  [...table.rows].forEach((line, r) => {
    const row: PastedCell[] = (rows[r] ??= []);
    let c = 0;
    for (const cell of line.cells) {
      while (taken.has(`${r},${c}`)) row[c++] ??= none;
      const look = styleFromCss(declarationsFor(cell, rules));
      row[c] = { text: textOf(cell), number: cell.dataset['num'], formula: cell.dataset['formula'], look };
      const down = Math.min(cell.rowSpan || 1, maxSpanned);
      const across = Math.min(cell.colSpan || 1, maxSpanned);
      if (down > 1 || across > 1) merges.push({ top: r, left: c, bottom: r + down - 1, right: c + across - 1 });
      for (let i = 0; i < down; i++) for (let j = 0; j < across; j++) if (i + j > 0) taken.add(`${r + i},${c + j}`);
      for (let j = 1; j < across; j++) row[c + j] = none;
      c += across;
    }
  });
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return undefined;
  const bottom = rows.length - 1;
  return {
    rows: rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? none)),
    merges: merges.map((one) => ({
      ...one,
      bottom: Math.min(one.bottom, bottom),
      right: Math.min(one.right, width - 1),
    })),
  };
}

const allowedTags = new Set(
  'table thead tbody tfoot tr td th br p div li b strong i em u s strike del font span'.split(' '),
);
/**
 * Attributes that are kept from pasted HTML, and the names to which they are renamed before parsing. The `style`
 * attribute must be renamed, because the browser would report it as a violation of the Content Security Policy.
 */
const attributes: Readonly<Record<string, string>> = {
  colspan: 'colspan',
  rowspan: 'rowspan',
  style: 'data-look',
  class: 'data-class',
  bgcolor: 'data-ground',
  align: 'data-align',
  valign: 'data-valign',
  color: 'data-color',
  'x:num': 'data-num',
  'data-sheets-formula': 'data-formula',
  'data-sheets-numberformat': 'data-numbers',
};

function keepTableMarkup(html: string): string {
  return html
    .replaceAll(/<(script|style|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(
      /<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi,
      (_, slash: string, name: string, given: string) => {
        if (!allowedTags.has(name.toLowerCase())) return '';
        return `<${slash}${name}${slash === '' ? attributesIn(given) : ''}>`;
      },
    );
}

function attributesIn(given: string): string {
  let written = '';
  for (const [, name, double, single, bare] of given.matchAll(
    /([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    const known = attributes[name!.toLowerCase()];
    const value = double ?? single ?? bare ?? '';
    if (known && (!known.endsWith('span') || /^\d{1,5}$/.test(value)))
      written += ` ${known}="${value.replaceAll('"', '&quot;')}"`;
  }
  return written;
}

/**
 * Collects the CSS declarations of a cell from its classes, its attributes, and elements that wrap all of its text.
 * Values equal to the style sheet's `td` rule are defaults and are omitted.
 */
function declarationsFor(cell: HTMLElement, rules: ReadonlyMap<string, Declarations>): Map<string, string> {
  const found = new Map<string, string>();
  const usual = rules.get('td');
  const put = (more: Declarations): void => {
    for (const [name, value] of more)
      if (usual?.get(name) !== value) found.set(name, value);
      else found.delete(name);
  };
  const read = (element: HTMLElement): void => {
    const { look, class: names, ground, align, valign, color, numbers } = element.dataset;
    for (const name of names?.split(/\s+/) ?? []) put(rules.get(`.${name.toLowerCase()}`) ?? new Map());
    if (ground !== undefined) found.set('background-color', ground);
    if (align !== undefined) found.set('text-align', align.toLowerCase());
    if (valign !== undefined) found.set('vertical-align', valign.toLowerCase());
    if (color !== undefined && parseColor(color) !== undefined) found.set('color', color);
    const pattern = /"2":"((?:[^"\\]|\\.)*)"/.exec(numbers ?? '')?.[1];
    if (pattern) found.set('mso-number-format', `"${pattern.replaceAll('\\', '')}"`);
    if (look !== undefined) put(parseDeclarations(look));
    const wrapped = wraps[element.tagName];
    if (wrapped) found.set(...wrapped);
  };
  read(cell);
  for (let inner = onlyChild(cell); inner; inner = onlyChild(inner)) read(inner);
  return found;
}

const wraps: Readonly<Record<string, readonly [string, string]>> = {
  B: ['font-weight', 'bold'],
  STRONG: ['font-weight', 'bold'],
  I: ['font-style', 'italic'],
  EM: ['font-style', 'italic'],
  U: ['text-decoration', 'underline'],
  S: ['text-decoration', 'line-through'],
  STRIKE: ['text-decoration', 'line-through'],
  DEL: ['text-decoration', 'line-through'],
  TH: ['font-weight', 'bold'],
};

function onlyChild(element: HTMLElement): HTMLElement | undefined {
  const [child, more] = [...element.childNodes].filter(
    (node) => node.nodeType !== Node.TEXT_NODE || (node.textContent ?? '').trim() !== '',
  );
  return more === undefined && child?.nodeType === Node.ELEMENT_NODE && (child as Element).tagName !== 'BR'
    ? (child as HTMLElement)
    : undefined;
}

function textOf(cell: HTMLElement): string {
  let text = '';
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) text += (node.textContent ?? '').replaceAll(/[\t\r\n ]+/g, ' ');
    else if (node instanceof HTMLElement || node.nodeType === Node.ELEMENT_NODE) {
      const name = (node as Element).tagName;
      if (name === 'BR') text += '\n';
      else if (name !== 'SCRIPT' && name !== 'STYLE') {
        if (/^(P|DIV|LI)$/.test(name) && text !== '' && !text.endsWith('\n')) text += '\n';
        node.childNodes.forEach(walk);
      }
    }
  };
  cell.childNodes.forEach(walk);
  return text
    .replaceAll('\u00A0', ' ')
    .replaceAll(/ *\n */g, '\n')
    .trim();
}
