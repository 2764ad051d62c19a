import { useState, type ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Conflict } from './autosave.ts';

/** Two people changed the same lines. All of it is on the screen; what is chosen becomes the text, the rest stays in the history. */
export function ConflictDialog({
  conflict,
  onChoose,
}: {
  conflict: Conflict;
  onChoose: (text: string) => void;
}): ReactNode {
  const text = useText();
  const [both, setBoth] = useState(conflict.both);
  const column = 'flex min-w-0 flex-1 flex-col gap-1.5';
  const box =
    'scroll-thin h-40 overflow-auto rounded-lg border border-line bg-panel p-3 font-mono text-sm whitespace-pre-wrap md:h-72';
  return (
    <Dialog title={text('conflictTitle')} onClose={() => onChoose(both)} width="large">
      <p className="text-soft">{text('conflictHint')}</p>
      <div className="flex flex-col gap-3 md:flex-row">
        <section className={column}>
          <h3 className="text-sm font-medium">{text('mine')}</h3>
          <pre className={box} tabIndex={0}>
            {conflict.mine}
          </pre>
          <Button onClick={() => onChoose(conflict.mine)}>{text('keepMine')}</Button>
        </section>
        <section className={column}>
          <h3 className="text-sm font-medium">{text('theirs')}</h3>
          <pre className={box} tabIndex={0}>
            {conflict.theirs}
          </pre>
          <Button onClick={() => onChoose(conflict.theirs)}>{text('keepTheirs')}</Button>
        </section>
        <section className={column}>
          <h3 className="text-sm font-medium">{text('both')}</h3>
          <textarea
            aria-label={text('both')}
            value={both}
            onChange={(event) => setBoth(event.target.value)}
            className={`${box} bg-raised`}
          />
          <Button look="primary" disabled={both.trim() === ''} onClick={() => onChoose(both)}>
            {text('keepBoth')}
          </Button>
        </section>
      </div>
    </Dialog>
  );
}
