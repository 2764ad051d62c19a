import type { ReactNode } from 'react';
import { useStore } from '../../ui/store.ts';
import { cellName, rangeName } from './cell-geometry.ts';
import type { ActionContext } from './sheet-actions.ts';
import { selectedRanges, useSheet } from './sheet-session.ts';

export function ActiveCellAnnouncer({ parts }: { parts: ActionContext }): ReactNode {
  const { session, text } = useSheet();
  const selection = useStore(session.selection);
  const { active, range, others } = selection;
  useStore(parts.grid.changes);
  const { text: shown, input, link } = parts.grid.model.cell(active.row, active.col);
  const several = others.length > 0 || range.top !== range.bottom || range.left !== range.right;
  const what = [
    cellName(active.row, active.col),
    shown === '' ? text('emptyCell') : shown,
    input.startsWith('=') ? `${text('formula')} ${input}` : '',
    link === undefined ? '' : text('link'),
    parts.grid.model.isUnconfirmed(active.row, active.col) ? text('notSentYet') : '',
    several ? text('selected', { range: selectedRanges(selection).map(rangeName).join(', ') }) : '',
  ].filter((part) => part !== '');
  return (
    <p aria-live="polite" className="sr-only" data-active-cell>
      {what.join(', ')}
    </p>
  );
}
