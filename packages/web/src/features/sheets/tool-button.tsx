import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** A toolbar button. Pressing it does not move the focus away from the grid. */
export function ToolButton({
  label,
  value,
  pressed,
  opens = false,
  word,
  className = '',
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'value'> & {
  label: string;
  /**
   * The selected value, which the button shows as text. It is part of the accessible name, because users of voice
   * control say the visible text.
   */
  value?: string | undefined;
  pressed?: boolean | undefined;
  opens?: boolean;
  /** Text after the icon. It is only shown if there is enough space. */
  word?: string | undefined;
}): ReactNode {
  return (
    <button
      type="button"
      aria-label={value === undefined ? label : `${label}: ${value}`}
      title={label}
      aria-pressed={pressed}
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
      className={
        'inline-flex h-8 min-w-8 shrink-0 items-center justify-center gap-0.5 rounded-lg px-1 text-soft ' +
        'transition-colors hover:bg-hover hover:text-ink disabled:opacity-35 aria-pressed:bg-accent-soft ' +
        `aria-pressed:text-accent data-[state=open]:bg-hover ${className}`
      }
    >
      {children}
      {word !== undefined && <span className="px-1 text-[0.867rem] whitespace-nowrap">{word}</span>}
      {opens && <ChevronDown size={12} className="opacity-60" />}
    </button>
  );
}

export function Divider(): ReactNode {
  return <span aria-hidden className="mx-1 h-5 w-px shrink-0 bg-line" />;
}
