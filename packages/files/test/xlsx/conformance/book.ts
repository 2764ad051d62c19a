import { unzipSync } from 'fflate';
import { cellName, parseCell } from '@sheaf/engine';
import { isDefault } from './schema-defaults.ts';
import { localName, scanXml, decodeXml } from '../../../src/xml/sax.ts';

/** A workbook file as its XML says it, read without the product's own reader: what one thinks it kept is no measure. */

export interface Node {
  readonly name: string;
  /** With prefixes only where the prefix tells something: `r:id`. */
  readonly attributes: Record<string, string>;
  readonly children: Node[];
  text: string;
}

export interface RawCell {
  readonly ref: string;
  readonly look: number;
  readonly type: string;
  readonly value: string | undefined;
  readonly formula: string | undefined;
  /** Whether the formula is written on another cell. */
  readonly isShared: boolean;
  readonly attributes: Record<string, string>;
  readonly formulaAttributes: Record<string, string> | undefined;
  /** Text written in the cell itself. */
  readonly inline: Node | undefined;
}

export interface RawSheet {
  readonly name: string;
  readonly state: string;
  readonly part: string;
  readonly kind: string;
  /** Without its cells. */
  readonly root: Node;
  readonly cells: Map<string, RawCell>;
  readonly rows: Map<number, Record<string, string>>;
  readonly relations: Map<string, RawRelation>;
}

export interface RawRelation {
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

export const none: Node = { name: '', attributes: {}, children: [], text: '' };

export class RawBook {
  readonly #parts = new Map<string, Uint8Array>();
  readonly names: string[];
  readonly workbook: Node;
  readonly main: string;
  readonly relations: Map<string, RawRelation>;
  readonly sheets: RawSheet[];
  readonly styles: Node;
  readonly texts: string[];
  /** The entries of the list of texts, with their runs and phonetic guides. */
  readonly textItems: Node[];

  constructor(bytes: Uint8Array) {
    const parts = unzipSync(bytes);
    for (const [name, data] of Object.entries(parts)) this.#parts.set(name.replace(/^\//, '').toLowerCase(), data);
    this.names = Object.keys(parts).filter((name) => !name.endsWith('/'));
    this.main =
      [...this.relationsOf('').values()].find((one) => one.kind === 'officeDocument')?.target ?? 'xl/workbook.xml';
    this.workbook = this.tree(this.main);
    this.relations = this.relationsOf(this.main);
    this.styles = this.tree([...this.relations.values()].find((one) => one.kind === 'styles')?.target ?? '');
    const texts = this.tree([...this.relations.values()].find((one) => one.kind === 'sharedStrings')?.target ?? '');
    this.textItems = texts.children.filter((one) => one.name === 'si');
    this.texts = this.textItems.map(plain);
    this.sheets = find(this.workbook, 'sheets', 'sheet').flatMap((one) => {
      const relation = this.relations.get(one.attributes['r:id'] ?? '');
      if (!relation || relation.external) return [];
      return [this.#sheet(one, relation)];
    });
  }

  bytes(part: string): Uint8Array | undefined {
    return this.#parts.get(part.toLowerCase());
  }

  tree(part: string): Node {
    const bytes = this.bytes(part);
    return bytes ? parse(decodeXml(bytes), part) : none;
  }

  relationsOf(part: string): Map<string, RawRelation> {
    const slash = part.lastIndexOf('/') + 1;
    const tree = this.tree(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
    return new Map(
      tree.children.map(({ attributes }) => {
        const external = attributes['TargetMode'] === 'External';
        const target = attributes['Target'] ?? '';
        return [
          attributes['Id'] ?? '',
          {
            kind: (attributes['Type'] ?? '').split('/').at(-1) ?? '',
            target: external ? target : resolve(part.slice(0, slash), target),
            external,
          },
        ];
      }),
    );
  }

  #sheet({ attributes }: Node, { kind, target }: RawRelation): RawSheet {
    const cells = new Map<string, RawCell>();
    const rows = new Map<number, Record<string, string>>();
    const root = this.tree(target);
    const data = root.children.findIndex((one) => one.name === 'sheetData');
    const shared = new Map<string, string>();
    if (data >= 0) {
      let row = 0;
      for (const line of root.children[data]!.children) {
        row = Number(line.attributes['r'] ?? row + 1);
        rows.set(row, line.attributes);
        let col = -1;
        for (const cell of line.children) {
          const formula = cell.children.find((one) => one.name === 'f');
          const own = formula?.text || (formula ? shared.get(formula.attributes['si'] ?? '') : undefined);
          if (formula?.text && formula.attributes['si'] !== undefined)
            shared.set(formula.attributes['si'], formula.text);
          const inline = cell.children.find((one) => one.name === 'is');
          col = cell.attributes['r'] === undefined ? col + 1 : (parseCell(cell.attributes['r'])?.col ?? col);
          const ref = cell.attributes['r'] ?? cellName(row - 1, col);
          cells.set(ref, {
            ref,
            look: Number(cell.attributes['s'] ?? 0),
            type: cell.attributes['t'] ?? 'n',
            value: inline ? plain(inline) : cell.children.find((one) => one.name === 'v')?.text,
            formula: own,
            isShared: formula?.attributes['si'] !== undefined,
            attributes: cell.attributes,
            formulaAttributes: formula?.attributes,
            inline,
          });
        }
      }
      root.children.splice(data, 1);
    }
    return {
      name: attributes['name'] ?? '',
      state: attributes['state'] ?? 'visible',
      part: target,
      kind,
      root,
      cells,
      rows,
      relations: this.relationsOf(target),
    };
  }

  /** What a cell shows by itself, as the file caches it. */
  cached({ type, value }: RawCell): string | number | boolean | null {
    if (value === undefined) return type === 'str' ? '' : null;
    switch (type) {
      case 's':
        return this.texts[Number(value)] ?? null;
      case 'b':
        return value.trim() === '1' || value.trim() === 'true';
      case 'n':
        return value === '' ? null : Number(value);
      // A date as text shows the same as its number.
      case 'd':
        return (
          Date.parse(`${value.includes(':') && !value.includes('T') ? '1899-12-30T' : ''}${value}Z`) / 86_400_000 +
          25_569
        );
      default:
        return value;
    }
  }

  /** The look in force at a cell: its own, else the row's, else the column's. */
  lookAt(sheet: RawSheet, ref: string): number {
    const cell = sheet.cells.get(ref);
    if (cell) return cell.look;
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(ref) ?? [];
    const row = sheet.rows.get(Number(digits));
    if (row?.['customFormat'] === '1' && row['s'] !== undefined) return Number(row['s']);
    let col = 0;
    for (const letter of letters) col = col * 26 + letter.charCodeAt(0) - 64;
    const found = find(sheet.root, 'cols', 'col').find(
      ({ attributes }) => Number(attributes['min']) <= col && Number(attributes['max']) >= col,
    );
    return Number(found?.attributes['style'] ?? 0);
  }
}

export function parse(xml: string, where: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const open: Node[] = [root];
  scanXml(xml, where, {
    open(name, attributes) {
      const own: Record<string, string> = {};
      for (const [key, value] of attributes())
        if (!key.startsWith('xmlns')) own[key.startsWith('r:') ? key : localName(key)] = value;
      const node: Node = { name: localName(name), attributes: own, children: [], text: '' };
      open.at(-1)!.children.push(node);
      open.push(node);
    },
    close() {
      open.pop();
    },
    text(text) {
      open.at(-1)!.text += text;
    },
  });
  return root.children[0] ?? none;
}

/** Elements by the names on the way to them. */
export function find(node: Node, ...path: string[]): Node[] {
  let found = [node];
  for (const name of path) found = found.flatMap((one) => one.children.filter((child) => child.name === name));
  return found;
}

export function descendants(node: Node, name: string): Node[] {
  return node.children.flatMap((one) => [...(one.name === name ? [one] : []), ...descendants(one, name)]);
}

/** All text in it, in order. */
export function plain(node: Node): string {
  if (node.name === 'rPh') return '';
  return node.name === 't' ? node.text : node.children.map(plain).join('');
}

/** Equal texts for elements that say the same. Ids of relations and of revisions are the file's own affair. */
export function canonical(node: Node, without: readonly string[] = []): string {
  const attributes = Object.entries(node.attributes)
    .filter(([key]) => !key.startsWith('r:') && key !== 'uid' && key !== 'Ignorable' && !without.includes(key))
    .map(([key, value]) => [key, value === 'true' ? '1' : value === 'false' ? '0' : value] as const)
    .filter(([key, value]) => !isDefault(node.name, key, value))
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  const inside = node.children.map((one) => canonical(one, without)).join('');
  return `<${[node.name, ...attributes].join(' ')}>${inside}${node.text.trim()}</>`;
}

function resolve(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const steps: string[] = [];
  for (const step of (folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
