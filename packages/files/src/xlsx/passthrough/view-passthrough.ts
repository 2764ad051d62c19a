import type { PassthroughElement, Freeze, Point, SheetSetup } from '@sheaf/engine/internal/document';
import { parseRect } from '@sheaf/engine';
import type { PassthroughReader } from './passthrough-reader.ts';
import { placeholder } from './placeholders.ts';
import { isTrue } from '../../containers/package-parts.ts';
import { mainNamespace } from '../xml-escape.ts';
import { childrenNamed, localNameOf, printXml, type XmlElement } from '../xml-tree.ts';

/**
 * The first view of a sheet in the file: the settings that documents model, and the stored XML of the view for export
 * (`carried`).
 */
export interface ParsedView {
  readonly freeze: Freeze;
  readonly setup: Pick<SheetSetup, 'gridlines' | 'zoom'>;
  readonly carried: PassthroughElement | undefined;
}

/** View attributes that are not stored from the imported file, because the export generates them from the document. */
const modeledAttributes = new Set(['zoomScale', 'showGridLines', 'tabSelected', 'workbookViewId']);
const maxSelectedRanges = 200;

export function readView(list: XmlElement, keeper: PassthroughReader, isActive: boolean): ParsedView {
  const [view] = childrenNamed(list, 'sheetView');
  if (!view) return { freeze: { rows: 0, cols: 0 }, setup: {}, carried: undefined };
  const zoom = Number(view.attributes.get('zoomScale') ?? 100);
  const hidesGrid = ['0', 'false'].includes(view.attributes.get('showGridLines') ?? '1');
  const freeze = freezeOf(childrenNamed(view, 'pane')[0]);
  return {
    freeze,
    setup: {
      ...(hidesGrid ? { gridlines: false as const } : {}),
      ...(zoom >= 10 && zoom <= 400 && zoom !== 100 ? { zoom } : {}),
    },
    carried: carriedView(view, freeze, keeper, isActive),
  };
}

function freezeOf(pane: XmlElement | undefined): Freeze {
  if (!(pane?.attributes.get('state') ?? '').startsWith('frozen')) return { rows: 0, cols: 0 };
  const count = (key: string): number => {
    const value = Number(pane?.attributes.get(key) ?? 0);
    return Number.isInteger(value) && value > 0 && value <= 1000 ? value : 0;
  };
  return { rows: count('ySplit'), cols: count('xSplit') };
}

/**
 * Stores the XML of a sheet's view for the export. Cell references in it become placeholders, so that they follow
 * insertions, deletions and moves of rows and columns. `pieces` holds the frozen rows and columns, whether the sheet is
 * selected but not active, and the original XML, which is exported while the referenced cells have not moved.
 */
function carriedView(
  view: XmlElement,
  { rows, cols }: Freeze,
  keeper: PassthroughReader,
  isActive: boolean,
): PassthroughElement | undefined {
  const points: Point[] = [];
  const corner = (row: number, col: number): string => placeholder('c', points.push([row, col]) - 1);
  const cellsOf = (value: string): string | undefined => {
    const refs = value.trim().split(/\s+/);
    const rects = refs.slice(0, maxSelectedRanges).map((ref) => parseRect(ref.replaceAll('$', '')));
    if (refs.length > maxSelectedRanges || rects.some((rect) => !rect)) return undefined;
    return rects
      .map((rect, i) => {
        const start = corner(rect!.top, rect!.left);
        return refs[i]!.includes(':') ? `${start}:${corner(rect!.bottom, rect!.right)}` : start;
      })
      .join(' ');
  };
  // Omit the selection inside a pivot table. It refers to the pivot table by a relationship id of the imported sheet,
  // which is not valid in the exported one.
  const shown = {
    ...view,
    attributes: new Map([...view.attributes].filter(([name]) => !modeledAttributes.has(name))),
    children: view.children.filter((one) => typeof one !== 'string' && localNameOf(one.tag) !== 'pivotSelection'),
  };
  const made = keeper.sheetElement(shown, new Map(), { formulas: [], regions: undefined }, (_, name, value) =>
    name === 'topLeftCell' || name === 'activeCell' || name === 'sqref' ? cellsOf(value) : undefined,
  );
  const isSelected = isTrue(view.attributes.get('tabSelected')) && !isActive ? '1' : '';
  // Store nothing for a view without content, because the export generates such a view.
  if (made.xml === '<sheetView/>' && isSelected === '') return undefined;
  const text = keeper.text({
    ...made,
    pieces: [`${rows},${cols}`, isSelected, printXml(shown, mainNamespace)],
    offsets: points,
  });
  return text === undefined ? undefined : { kind: 'sheetView', text, points };
}
