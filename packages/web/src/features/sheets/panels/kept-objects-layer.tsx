import { useMemo, useRef, type ReactNode } from 'react';
import { toAnchor } from '../charts/drawing-anchor.ts';
import { CellOverlay, GridOverlay } from '../grid-overlay.tsx';
import { useSheet, type ToolOutput } from '../sheet-session.ts';
import { affectsObjects, useLiveQuery } from './live-query.ts';

type Kept = ToolOutput<'get_kept_objects'>;

/**
 * Shows imported objects that this program cannot edit: a grey box with a name for each control, shape and embedded
 * object, and the images in cells.
 */
export function KeptObjectsLayer(): ReactNode {
  // An image in a cell disappears when the cell gets another value. If the sub-sheet has such images, the list is
  // therefore fetched again after every change.
  const hasCells = useRef(false);
  const { data } = useLiveQuery('get_kept_objects', {}, (revision) => hasCells.current || affectsObjects(revision));
  hasCells.current = (data?.cells.length ?? 0) > 0;
  if (!data) return null;
  return (
    <>
      {data.cells.map((cell) => (
        <CellContent key={`${cell.row_index} ${cell.col_index}`} cell={cell} pictures={data.pictures} />
      ))}
      {data.objects.map((object, index) => (
        <Box key={`${index} ${object.name}`} object={object} />
      ))}
    </>
  );
}

function CellContent({ cell, pictures }: { cell: Kept['cells'][number]; pictures: Kept['pictures'] }): ReactNode {
  const { text } = useSheet();
  const address = cell.picture === undefined ? undefined : pictures[cell.picture];
  const label = cell.text === '' ? text('pictureInCell') : cell.text;
  return (
    <CellOverlay row={cell.row_index} col={cell.col_index} className="pointer-events-none p-px">
      {address === undefined ? (
        <div className="flex size-full items-center overflow-hidden bg-raised px-1 text-xs text-ink">{label}</div>
      ) : (
        <img src={address} alt={label} className="size-full bg-raised object-contain" />
      )}
    </CellOverlay>
  );
}

function Box({ object }: { object: Kept['objects'][number] }): ReactNode {
  const { text } = useSheet();
  const told = JSON.stringify(object.location);
  const place = useMemo(() => toAnchor(JSON.parse(told) as Kept['objects'][number]['location']), [told]);
  const kind = text(`kept_${object.kind}`);
  const shown = object.text === '' ? object.name : object.text;
  return (
    <GridOverlay place={place} className="pointer-events-none">
      <div
        role="img"
        aria-label={`${kind}: ${shown === '' ? object.name : shown}`}
        data-kept-object={object.kind}
        className={
          'flex size-full items-center justify-center overflow-hidden rounded-sm border border-strong-line bg-hover/80 ' +
          'px-1 text-center text-xs whitespace-pre-wrap text-ink'
        }
      >
        {shown === '' ? kind : shown}
      </div>
    </GridOverlay>
  );
}
