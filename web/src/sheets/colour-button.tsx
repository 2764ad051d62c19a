import { Suspense, lazy, useRef, useState, type ReactNode } from 'react';
import { ToolButton } from './tool-button.tsx';

const ColourTable = lazy(async () => ({ default: (await import('./colour-table.tsx')).ColourTable }));

/** A button whose line shows the colour last chosen, with a table of colours to choose from. */
export function ColourButton({ label, icon, initial, disabled, onChoose }: { label: string; icon: ReactNode; initial: string; disabled: boolean; onChoose: (colour: string) => void }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [last, setLast] = useState(initial);
  const choose = (colour: string): void => {
    if (colour !== '') setLast(colour);
    onChoose(colour);
  };
  return (
    <>
      <ToolButton ref={button} label={label} disabled={disabled} aria-haspopup="dialog" aria-expanded={open} data-state={open ? 'open' : 'closed'} onClick={() => setOpen(!open)}>
        <span className="flex flex-col items-center gap-px">
          {icon}
          <span className="h-[3px] w-4 rounded-full border border-line/50" style={{ backgroundColor: `#${last}` }} />
        </span>
      </ToolButton>
      {open && (
        <Suspense fallback={null}>
          <ColourTable label={label} button={button} initial={last} onChoose={choose} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
