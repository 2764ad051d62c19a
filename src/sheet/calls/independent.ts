import type { SheetDocument } from '../engine/document/document.ts';
import { addSheet } from '../engine/mutations/add-sheet.ts';
import { clearContents } from '../engine/mutations/clear-contents.ts';
import { clearLink } from '../engine/mutations/clear-link.ts';
import { defineName } from '../engine/mutations/define-name.ts';
import { merge } from '../engine/mutations/merge.ts';
import { moveSheet } from '../engine/mutations/move-sheet.ts';
import type { Mutation } from '../engine/mutations/mutation.ts';
import { putChart } from '../engine/mutations/put-chart.ts';
import { putImage } from '../engine/mutations/put-image.ts';
import { putPivot } from '../engine/mutations/put-pivot.ts';
import { putProtect } from '../engine/mutations/put-protect.ts';
import { removeChart } from '../engine/mutations/remove-chart.ts';
import { removeImage } from '../engine/mutations/remove-image.ts';
import { removeName } from '../engine/mutations/remove-name.ts';
import { removeProtect } from '../engine/mutations/remove-protect.ts';
import { restoreBlock } from '../engine/mutations/restore-block.ts';
import { restoreStyles } from '../engine/mutations/restore-styles.ts';
import { setBorder } from '../engine/mutations/set-border.ts';
import { setFreeze } from '../engine/mutations/set-freeze.ts';
import { setGrid } from '../engine/mutations/set-grid.ts';
import { setLink } from '../engine/mutations/set-link.ts';
import { setRangeBlock } from '../engine/mutations/set-range-block.ts';
import { setRichText } from '../engine/mutations/set-rich-text.ts';
import { setSize } from '../engine/mutations/set-size.ts';
import { setStyle } from '../engine/mutations/set-style.ts';
import { setValues } from '../engine/mutations/set-values.ts';
import { setVisible } from '../engine/mutations/set-visible.ts';
import { unmerge } from '../engine/mutations/unmerge.ts';
import { meets } from '../engine/document/objects/rect.ts';
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
