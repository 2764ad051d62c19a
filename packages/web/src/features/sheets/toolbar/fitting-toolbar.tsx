import { Ellipsis } from 'lucide-react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation, type MessageKey } from '../../../i18n/use-translation.ts';
import { Divider, ToolButton } from '../tool-button.tsx';

export interface ToolGroup {
  readonly name: MessageKey;
  /** Renders the buttons of the group. If `word` is true, the buttons have texts beside their icons. */
  readonly draw: (word: boolean) => ReactNode;
}

/** Groups whose buttons have texts if there is enough space. The texts are removed in this order. */
const worded: readonly MessageKey[] = ['dataMenu', 'groupInsert', 'groupReview'];
/** Toolbar groups that move into the "More" menu if the toolbar has too little space. The first one moves first. */
const movable: readonly MessageKey[] = [
  'groupView',
  'groupInsert',
  'groupFont',
  'dataMenu',
  'groupNumber',
  'align',
  'groupReview',
  'groupText',
];

interface Fit {
  readonly content: string;
  readonly width: number;
  /**
   * Number of space-saving steps applied. The first steps remove button texts, further steps move groups into "More".
   */
  readonly level: number;
}

/**
 * A toolbar that fits any width. Space-saving steps are applied before the browser paints, until the row fits. Callers
 * must change `contentKey` when the content of the groups changes. Arrow keys move between the buttons.
 */
export function FittingToolbar({
  label,
  groups,
  contentKey,
}: {
  label: string;
  groups: readonly ToolGroup[];
  contentKey: string;
}): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const level = useFit(bar, row, contentKey);
  // Whether the "More" menu is open. Stored here, because the menu's component is remounted whenever its tools change.
  const [isOpen, setOpen] = useState(false);
  const withWords = worded.slice(level);
  const moved = movable
    .slice(0, Math.max(0, level - worded.length))
    .filter((name) => groups.some((one) => one.name === name));
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      data-part
      className="relative z-10 flex h-10 shrink-0 items-center border-b border-line bg-paper px-1"
      onKeyDown={(event) => moveFocus(event, bar.current)}
    >
      <div ref={row} className="flex h-full min-w-0 flex-1 items-center overflow-hidden px-1">
        {groups
          .filter(({ name }) => !moved.includes(name))
          .map(({ name, draw }, index) => (
            <Fragment key={name}>
              {index > 0 && <Divider />}
              <Group name={name}>{draw(withWords.includes(name))}</Group>
            </Fragment>
          ))}
      </div>
      {moved.length > 0 && (
        <More groups={groups.filter(({ name }) => moved.includes(name))} isOpen={isOpen} setOpen={setOpen} />
      )}
    </div>
  );
}

function Group({ name, children }: { name: MessageKey; children: ReactNode }): ReactNode {
  const text = useTranslation();
  return (
    <div role="group" aria-label={text(name)} className="flex shrink-0 items-center gap-0.5">
      {children}
    </div>
  );
}

function useFit(
  bar: React.RefObject<HTMLElement | null>,
  row: React.RefObject<HTMLElement | null>,
  content: string,
): number {
  const [fit, setFit] = useState<Fit>({ content, width: 0, level: 0 });
  useLayoutEffect(() => {
    const measure = (): void => {
      const width = bar.current?.clientWidth ?? 0;
      setFit((before) => (before.width === width ? before : { ...before, width, level: 0 }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(bar.current!);
    measure();
    return () => observer.disconnect();
  }, [bar]);
  if (fit.content !== content) setFit({ ...fit, content, level: 0 });
  useLayoutEffect(() => {
    const { scrollWidth, clientWidth } = row.current!;
    if (scrollWidth > clientWidth && fit.level < worded.length + movable.length)
      setFit({ ...fit, level: fit.level + 1 });
  }, [fit, row]);
  return fit.level;
}

interface MoreProps {
  readonly groups: readonly ToolGroup[];
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Menu with the groups that do not fit into the row, each under its name. */
function More({ groups, isOpen, setOpen }: MoreProps): ReactNode {
  const text = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    // Menus and color pickers of the buttons are rendered elsewhere in the document; clicks in them must not close
    // "More".
    const leave = (event: Event): void => {
      const at = event.target as Element;
      if (!whole.current?.contains(at) && !at.closest('[role=menu], [role=dialog]')) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen, setOpen]);
  return (
    <div
      ref={whole}
      className="flex shrink-0 items-center"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        whole.current?.querySelector('button')?.focus();
      }}
    >
      <ToolButton
        label={text('more')}
        aria-expanded={isOpen}
        data-state={isOpen ? 'open' : 'closed'}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis size={16} />
        <span className="pr-1 text-[0.867rem] max-sm:sr-only">{text('more')}</span>
      </ToolButton>
      {isOpen && (
        <div
          className={
            'rise absolute top-full right-2 z-30 mt-1 flex max-h-[60dvh] w-80 flex-col gap-3 overflow-y-auto rounded-xl ' +
            'border border-line bg-raised p-3 shadow-float'
          }
        >
          {groups.map(({ name, draw }) => (
            <div key={name} className="flex flex-col gap-1">
              <span aria-hidden className="px-1 text-xs font-medium text-soft">
                {text(name)}
              </span>
              <div role="group" aria-label={text(name)} className="flex flex-wrap items-center gap-0.5">
                {draw(true)}
              </div>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, bar: HTMLElement | null): void {
  if (!bar || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
  const buttons = [...bar.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + (event.key === 'ArrowRight' ? 1 : -1) + buttons.length) % buttons.length]?.focus();
}
