import {
  cloneElement,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { late } from './late.tsx';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  run: () => void;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
}

export interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  /** `null` in the list is a line between two groups. */
  readonly entries: readonly (MenuEntry | null | false)[];
  readonly align?: 'start' | 'end';
}

const load = async () => (await import('./open-menu.tsx')).OpenMenu;
const OpenMenu = late(load);

/** A button with a menu. What makes the menu comes when somebody reaches for the button: most are never opened. */
export function Menu({ trigger, entries, align = 'end' }: MenuProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'pointer' | 'key'>();
  const prepare = (): void => void load().catch((error: unknown) => console.info('menu', error));
  return (
    <>
      {cloneElement(trigger, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open !== undefined,
        ...({ 'data-state': open ? 'open' : 'closed' } as object),
        onPointerEnter: prepare,
        onFocus: prepare,
        onPointerDown: (event: PointerEvent) => {
          if (event.button !== 0 || event.ctrlKey) return;
          setOpen(open ? undefined : 'pointer');
          // The focus goes to the menu.
          if (!open) event.preventDefault();
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          setOpen('key');
        },
      })}
      {open && (
        <OpenMenu
          trigger={button}
          labelledBy={id}
          entries={entries}
          align={align}
          byKey={open === 'key'}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/** What the right button, or the menu key, brings up on something: the same entries, where the pointer is. */
export function PointMenu({
  of,
  at,
  labelledBy,
  entries,
  onClose,
}: {
  of: RefObject<HTMLElement | null>;
  at: MenuPoint;
  labelledBy: string;
  entries: MenuProps['entries'];
  onClose: () => void;
}): ReactNode {
  return (
    <OpenMenu
      // Asked for again somewhere else, it stands there.
      key={`${at.x} ${at.y}`}
      trigger={of}
      at={at}
      labelledBy={labelledBy}
      entries={entries}
      align="start"
      byKey={false}
      onClose={onClose}
    />
  );
}
