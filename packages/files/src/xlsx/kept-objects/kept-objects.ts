import type {
  Anchor,
  PassthroughElement,
  KeptText,
  Point,
  SheetDocument,
  SubSheet,
} from '@sheaf/engine/internal/document';
import { fillPlaceholders } from '../passthrough/placeholders.ts';
import { sizeBetween } from '../read-drawing.ts';
import { emuPerPixel } from '../write-drawing.ts';
import { childrenNamed, descendantsOf, localNameOf, parseXml, textOf, type XmlElement } from '../xml-tree.ts';
import { legacyControls } from './legacy-controls.ts';

export const keptObjectKinds = ['control', 'embedded', 'shape', 'group', 'diagram', 'chart', 'picture', 'ink'] as const;
export type KeptObjectKind = (typeof keptObjectKinds)[number];

/** A drawing object of an imported file that documents can display but not edit. */
export interface KeptObject {
  readonly kind: KeptObjectKind;
  readonly name: string;
  /** Text displayed in the drawing object. */
  readonly text: string;
  readonly anchor: Anchor;
}

/**
 * A drawing object as parsed from its XML. The cells of its corners are stored separately, because they change when
 * rows or columns are inserted or deleted.
 */
interface DrawnObject {
  readonly kind: KeptObjectKind;
  readonly name: string;
  readonly text: string;
  /** True if the object is resized with its cells. */
  readonly sizesWithCells: boolean;
  /** Number of the VML shape that older programs display instead of the object. */
  readonly shape: string;
  /** Pixel offsets of the object's corners within their cells. */
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number } | undefined;
  /** Size in pixels; set only for objects that are anchored at one corner. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

const maxText = 500;
const maxSide = 10_000;
const maxObjects = 1000;
const maxCellsAcross = 1000;
const kindsOfElements: Readonly<Record<string, KeptObjectKind>> = {
  sp: 'shape',
  cxnSp: 'shape',
  grpSp: 'group',
  pic: 'picture',
  contentPart: 'ink',
};

/** Cache of parsed drawing objects by stored text. Stored texts are immutable, so entries never become stale. */
const drawnObjects = new WeakMap<KeptText, DrawnObject | 'none'>();

/** Returns the drawing objects of a sub-sheet that can be displayed but not edited, with their current positions. */
export function keptObjects(document: SheetDocument, sub: SubSheet): KeptObject[] {
  const texts = document.kept?.texts ?? [];
  const embedded = embeddedShapes(sub.carried, texts);
  const found: KeptObject[] = [];
  const shapes = new Set<string>();
  for (const { kind, text, points = [] } of sub.carried) {
    const kept = kind === 'drawing' ? texts[text] : undefined;
    const drawn = kept && drawnObjectOf(kept);
    if (!drawn) continue;
    if (drawn.shape !== '') shapes.add(drawn.shape);
    const isEmbedded = drawn.kind === 'control' && embedded.has(drawn.shape);
    if (drawn.sizesWithCells && isCollapsed(points, sub)) continue;
    const anchor = anchorOf(drawn, points, sub);
    if (found.length < maxObjects)
      found.push({ kind: isEmbedded ? 'embedded' : drawn.kind, name: drawn.name, text: drawn.text, anchor });
  }
  for (const { kind, text } of sub.carried) {
    if (kind !== 'legacyDrawing') continue;
    for (const relation of texts[text]?.relations ?? [])
      for (const one of legacyControls(document.kept?.parts[relation.part ?? ''], sub))
        if (!shapes.has(one.shape) && found.length < maxObjects)
          found.push({ kind: one.kind, name: one.name, text: one.text.slice(0, maxText), anchor: one.anchor });
  }
  return found;
}

/** Returns the numbers of the shapes that belong to embedded objects. */
function embeddedShapes(carried: readonly PassthroughElement[], texts: readonly KeptText[]): ReadonlySet<string> {
  const lists = carried.flatMap(({ kind, text }) => (kind === 'oleObjects' ? (texts[text]?.xml ?? '') : ''));
  return new Set(lists.flatMap((xml) => [...xml.matchAll(/\bshapeId="(\d+)"/g)].map(([, number]) => number!)));
}

function drawnObjectOf(kept: KeptText): DrawnObject | undefined {
  const known = drawnObjects.get(kept);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const root = parseXml(
    fillPlaceholders(kept.xml, () => ''),
    'an object of the file',
  );
  const drawn = root && readDrawnObject(root);
  drawnObjects.set(kept, drawn ?? 'none');
  return drawn;
}

function readDrawnObject(root: XmlElement): DrawnObject | undefined {
  const isAnchor = ({ tag }: XmlElement): boolean => localNameOf(tag).endsWith('Anchor');
  const anchor = isAnchor(root) ? root : [...descendantsOf(root)].find(isAnchor);
  if (!anchor) return undefined;
  const content = objectIn(anchor);
  if (!content) return undefined;
  const inside = [...descendantsOf(content)];
  const named = inside.find(({ tag }) => localNameOf(tag) === 'cNvPr');
  const control = inside.find(({ tag }) => localNameOf(tag) === 'compatExt');
  const shape = /_s(\d+)$/.exec(control?.attributes.get('spid') ?? '')?.[1] ?? '';
  // Form controls are always marked as hidden in this XML, because programs draw them from the legacy VML drawing.
  // Ignore the mark for form controls.
  if (!control && /^(?:1|true)$/.test(named?.attributes.get('hidden') ?? '')) return undefined;
  const pixelsOf = (parent: string, x: string, y: string): { x: number; y: number } | undefined => {
    const [corner] = childrenNamed(anchor, parent);
    if (!corner) return undefined;
    const length = (name: string): number => {
      const [child] = childrenNamed(corner, name);
      return (Number(child ? textOf(child) : corner.attributes.get(name)) || 0) / emuPerPixel;
    };
    return { x: length(x), y: length(y) };
  };
  const size = pixelsOf('ext', 'cx', 'cy');
  return {
    kind: control ? 'control' : kindOf(content),
    name: (named?.attributes.get('name') ?? '').slice(0, maxText),
    text: shownText(content).slice(0, maxText),
    sizesWithCells: (anchor.attributes.get('editAs') ?? 'twoCell') === 'twoCell',
    shape,
    from: pixelsOf('from', 'colOff', 'rowOff') ?? pixelsOf('pos', 'x', 'y') ?? { x: 0, y: 0 },
    to: pixelsOf('to', 'colOff', 'rowOff'),
    size: size && { width: size.x, height: size.y },
  };
}

/**
 * Returns the object element inside an anchor. If there are alternatives, returns the first, which newer programs
 * display.
 */
function objectIn(anchor: XmlElement): XmlElement | undefined {
  const around = new Set(['from', 'to', 'ext', 'pos', 'clientData']);
  for (const child of anchor.children) {
    if (typeof child === 'string') continue;
    const name = localNameOf(child.tag);
    if (name === 'AlternateContent' || name === 'Choice' || name === 'Fallback') {
      const inner = objectIn(child);
      if (inner) return inner;
    } else if (!around.has(name)) return child;
  }
  return undefined;
}

function kindOf(content: XmlElement): KeptObjectKind {
  const known = kindsOfElements[localNameOf(content.tag)];
  if (known) return known;
  const data = [...descendantsOf(content)].find(({ tag }) => localNameOf(tag) === 'graphicData');
  return data?.attributes.get('uri')?.includes('diagram') ? 'diagram' : 'chart';
}

/** Returns the text of a shape, one line for each paragraph. */
function shownText(content: XmlElement): string {
  const paragraphs = [...descendantsOf(content)].filter(({ tag }) => localNameOf(tag) === 'p');
  const lines = paragraphs.map((one) =>
    [...descendantsOf(one)].map((inner) => (localNameOf(inner.tag) === 't' ? textOf(inner) : '')).join(''),
  );
  return lines.join('\n').trim();
}

/** Returns whether all rows or all columns between an object's corners are hidden. */
function isCollapsed([start, end]: readonly Point[], { hiddenRows, hiddenCols }: SubSheet): boolean {
  if (!start || !end) return false;
  const isHidden = (hidden: SubSheet['hiddenRows'], first: number, last: number): boolean => {
    for (let at = first; at <= Math.min(last, first + maxCellsAcross); at++) if (hidden.get(at) === 0) return false;
    return true;
  };
  return isHidden(hiddenRows, start[0], end[0]) || isHidden(hiddenCols, start[1], end[1]);
}

function anchorOf({ from, to, size }: DrawnObject, points: readonly Point[], sub: SubSheet): Anchor {
  const [[row, col] = [0, 0], end] = points;
  const corner = (at: Point, offset: { x: number; y: number }) => ({
    row: at[0],
    col: at[1],
    rowOff: offset.y * emuPerPixel,
    colOff: offset.x * emuPerPixel,
  });
  const { width, height } =
    end && to ? sizeBetween(sub, corner([row, col], from), corner(end, to)) : (size ?? { width: 96, height: 48 });
  const side = (length: number): number => Math.min(maxSide, Math.max(1, Math.round(length)));
  const offset = (length: number): number => Math.min(maxSide, Math.max(0, Math.round(length)));
  return { row, col, offsetX: offset(from.x), offsetY: offset(from.y), width: side(width), height: side(height) };
}
