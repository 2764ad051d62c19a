import { Popover } from 'radix-ui';
import { useState, type ReactNode, type RefObject } from 'react';
import { useText } from '../text/use-text.ts';
import { rows } from './colours.ts';

/** The colours to choose from, below the button that opened them. The empty text is no colour. */
export function ColourTable({ label, button, initial, onChoose, onClose }: { label: string; button: RefObject<HTMLButtonElement | null>; initial: string; onChoose: (colour: string) => void; onClose: () => void }): ReactNode {
  const text = useText();
  const [last, setLast] = useState(initial);
  const choose = (colour: string): void => {
    onClose();
    setTimeout(() => onChoose(colour));
  };
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="rise z-40 rounded-xl border border-line bg-raised p-2.5 shadow-float"
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The button closes it itself; closed here already, it would open it again.
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
        >
          <div className="flex flex-col gap-1" role="group" aria-label={label}>
            {rows.map((row, index) => (
              <div key={index} className="flex gap-1">
                {row.map((colour) => (
                  <button key={colour} type="button" aria-label={`#${colour}`} title={`#${colour}`} className="size-5 rounded-md border border-line transition-transform hover:scale-110" style={{ backgroundColor: `#${colour}` }} onClick={() => choose(colour)} />
                ))}
              </div>
            ))}
          </div>
          <div className="mt-2 flex items-center justify-between gap-2">
            <button type="button" className="rounded-md px-2 py-1 text-[0.867rem] text-soft hover:bg-hover hover:text-ink" onClick={() => choose('')}>
              {text('noColour')}
            </button>
            <label className="flex items-center gap-1.5 text-[0.867rem] text-soft">
              {text('other')}
              <input type="color" className="size-6 cursor-pointer rounded border border-line bg-transparent" value={`#${last}`} onChange={(event) => setLast(event.target.value.slice(1).toUpperCase())} onBlur={(event) => choose(event.target.value.slice(1).toUpperCase())} />
            </label>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
