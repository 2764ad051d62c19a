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
import { lazyComponent } from './lazy.tsx';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  /** Runs the entry. If the promise rejects, an error message is shown. */
  run: () => unknown;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
}

export interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  /** Entries of the menu. `null` is a separator between two groups, `false` is omitted. */
  readonly entries: readonly (MenuEntry | null | false)[];
  readonly align?: 'start' | 'end';
}

const load = async () => (await import('./menu-popup.tsx')).MenuPopup;
const MenuPopup = lazyComponent(load);

/**
 * A button with a menu. The menu's code is loaded when the pointer or the focus reaches the button, because most menus
 * are never opened.
 */
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
          // Prevent the button from taking the focus, because the focus moves to the menu.
          if (!open) event.preventDefault();
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          setOpen('key');
        },
      })}
      {open && (
        <MenuPopup
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

interface ContextMenuProps {
  of: RefObject<HTMLElement | null>;
  at: MenuPoint;
  labelledBy: string;
  entries: MenuProps['entries'];
  onClose: () => void;
}

export function ContextMenu({ of, at, labelledBy, entries, onClose }: ContextMenuProps): ReactNode {
  return (
    <MenuPopup
      // The React key contains the position, so that a menu opened at another position is mounted anew.
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
