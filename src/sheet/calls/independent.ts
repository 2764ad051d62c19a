import { type SheetDocument, meets } from '../engine/document.ts';
import {
  addSheet,
  clearContents,
  clearLink,
  defineName,
  merge,
  moveSheet,
  type Mutation,
  putChart,
  putImage,
  putPivot,
  putProtect,
  removeChart,
  removeImage,
  removeName,
  removeProtect,
  restoreBlock,
  restoreStyles,
  setBorder,
  setFreeze,
  setGrid,
  setLink,
  setRangeBlock,
  setRichText,
  setSize,
  setStyle,
  setValues,
  setVisible,
  unmerge,
} from '../engine/mutations.ts';
import { touched } from '../protection/touched.ts';

/** They change cells where they are, and nothing else. */
const onCells = new Set(
  [
    setValues,
    setRangeBlock,
    clearContents,
    setStyle,
    setBorder,
    restoreBlock,
    restoreStyles,
    setLink,
    clearLink,
    setRichText,
    merge,
    unmerge,
  ].map((kind) => kind.type),
);
/** They change one thing of a sub-sheet as a whole: the last one to set it wins. */
const onSheets = new Set([setSize, setVisible, setFreeze].map((kind) => kind.type));
/** They give a chart, a pivot table or a name what it speaks of: so does undoing a cut, whose cells they follow. */
const onObjects = new Set([putChart, putPivot, defineName].map((kind) => kind.type));
/** They change neither cells nor where cells are. */
const elsewhere = new Set(
  [
    setGrid,
    addSheet,
    moveSheet,
    putChart,
    removeChart,
    putImage,
    removeImage,
    putProtect,
    removeProtect,
    defineName,
    removeName,
  ].map((kind) => kind.type),
);

/** Why undoing cannot be done under later changes, as the end of a sentence; undefined when the two do not touch. */
export function independentOf(
  document: SheetDocument,
  undoing: readonly Mutation[],
  later: readonly Mutation[],
): string | undefined {
  const undone = undoing.filter((one) => one.type !== setGrid.type);
  if (undone.some((one) => !onCells.has(one.type) && !onSheets.has(one.type) && !onObjects.has(one.type)))
    return 'did more than change cells';
  const cells = undone
    .filter((one) => onCells.has(one.type) || one.type === putPivot.type)
    .flatMap((one) => touched(document, one));
  const objects = new Set(undone.map(objectOf));
  for (const mutation of later) {
    const object = objectOf(mutation);
    if (object !== undefined && objects.has(object)) return 'set the same';
    if (elsewhere.has(mutation.type)) continue;
    if (onSheets.has(mutation.type)) {
      const { sheet } = mutation.data as { sheet: string };
      if (undone.some((one) => one.type === mutation.type && (one.data as { sheet: string }).sheet === sheet))
        return 'set the same';
      continue;
    }
    if (!onCells.has(mutation.type)) return 'moved cells or changed the structure';
    for (const { sheet, rect } of touched(document, mutation)) {
      if (cells.some((one) => one.sheet === sheet && (!rect || !one.rect || meets(one.rect, rect))))
        return 'changed the same cells';
    }
  }
  return undefined;
}

function objectOf({ type, data }: Mutation): string | undefined {
  const {
    sheet = '',
    id,
    chart,
    name,
  } = data as { sheet?: string; id?: string; chart?: { id: string }; name?: string };
  if (type === putChart.type || type === removeChart.type) return `chart ${sheet} ${chart?.id ?? id}`;
  return type === defineName.type || type === removeName.type ? `name ${sheet} ${name?.toUpperCase()}` : undefined;
}
