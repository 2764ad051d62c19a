import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Popover } from '../../ui/popover.tsx';
import { CommitColorInput } from './commit-color-input.tsx';
import { ToolButton } from './tool-button.tsx';

/** Colors for text, fill and borders: one row of greys, then a column for each hue, from dark to light. */
const greys = ['000000', '434343', '666666', '999999', 'CCCCCC', 'E6E6E6', 'F3F3F3', 'FFFFFF'] as const;
const hues = ['A8322A', 'C2611F', 'A67C00', '2A6049', '1F7A8C', '2C5AA0', '5B4B9E', '8E3B76'] as const;
const mixes = [0, 0.35, 0.6, 0.82] as const;

const paletteRows: readonly (readonly string[])[] = [
  greys,
  ...mixes.map((mix) => hues.map((hue) => lightened(hue, mix))),
];

function lightened(hex: string, towardsWhite: number): string {
  return [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    .map((part) => Math.round(part + (255 - part) * towardsWhite))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('');
}

export function ColorButton({
  label,
  icon,
  initial,
  disabled,
  onChoose,
}: {
  label: string;
  icon: ReactNode;
  initial: string;
  disabled: boolean;
  onChoose: (color: string) => void;
}): ReactNode {
  const text = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [last, setLast] = useState(initial);
  const choose = (color: string): void => {
    setOpen(false);
    if (color !== '') setLast(color);
    setTimeout(() => onChoose(color));
  };
  return (
    <>
      <ToolButton
        ref={button}
        label={label}
        disabled={disabled}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-state={open ? 'open' : 'closed'}
        onClick={() => setOpen(!open)}
      >
        <span className="flex flex-col items-center gap-px">
          {icon}
          <span className="h-[3px] w-4 rounded-full border border-line/50" style={{ backgroundColor: `#${last}` }} />
        </span>
      </ToolButton>
      {open && (
        <Popover button={button} label={label} align="start" onClose={() => setOpen(false)}>
          <div className="flex flex-col gap-1" role="group" aria-label={label}>
            {paletteRows.map((row, index) => (
              <div key={index} className="flex gap-1">
                {row.map((color) => (
                  <button
                    key={color}
                    type="button"
                    aria-label={`#${color}`}
                    title={`#${color}`}
                    className="size-5 rounded-md border border-line transition-transform hover:scale-110"
                    style={{ backgroundColor: `#${color}` }}
                    onClick={() => choose(color)}
                  />
                ))}
              </div>
            ))}
          </div>
          <div className="mt-2 flex items-center justify-between gap-2">
            <button
              type="button"
              className="rounded-md px-2 py-1 text-[0.867rem] text-soft hover:bg-hover hover:text-ink"
              onClick={() => choose('')}
            >
              {text('noColor')}
            </button>
            <label className="flex items-center gap-1.5 text-[0.867rem] text-soft">
              {text('other')}
              <CommitColorInput
                className="size-6 cursor-pointer rounded border border-line bg-transparent"
                value={`#${last}`}
                onCommit={(color) => choose(color.slice(1).toUpperCase())}
              />
            </label>
          </div>
        </Popover>
      )}
    </>
  );
}
