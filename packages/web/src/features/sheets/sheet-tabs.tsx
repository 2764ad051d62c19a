import { ArrowLeft, ArrowRight, ChevronDown, Copy, Eye, EyeOff, List, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Translate } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { useStore } from '../../ui/store.ts';
import { showErrorToast } from '../../ui/toast.tsx';
import { useSheet, type SheetSession, type Tab } from './sheet-session.ts';
import { showUndoToast } from './undo-toast.ts';

/**
 * Shows the tabs of the document's sub-sheets. Tabs can be selected and reordered by dragging, and each tab has a menu.
 */
export function SheetTabs(): ReactNode {
  const { session, text } = useSheet();
  const tabs = useStore(session.tabs);
  const current = useStore(session.current);
  const shown = tabs.find((tab) => tab.id === current);
  const isShown = (tab: Tab): boolean => !tab.isHidden || tab.id === current;
  const [dragged, setDragged] = useState<string>();
  const [before, setBefore] = useState<number>();
  const drop = (): void => {
    const from = tabs.findIndex((one) => one.id === dragged);
    if (from >= 0 && before !== undefined) moveTab(session, from, before > from ? before - 1 : before);
    setDragged(undefined);
    setBefore(undefined);
  };
  return (
    <div className="flex min-w-0 items-center gap-0.5">
      <Menu
        align="start"
        trigger={
          <IconButton label={text('allTabs')} className="size-7">
            <List size={15} />
          </IconButton>
        }
        entries={[
          ...tabs.filter(isShown).map((tab) => ({ label: tab.name, run: () => session.show(tab.id) })),
          tabs.every(isShown) ? false : null,
          ...tabs
            .filter((tab) => !isShown(tab))
            .map((tab) => ({
              label: text('showTab', { name: tab.name }),
              icon: <Eye size={15} />,
              run: () => void showHidden(session, tab).catch(showErrorToast),
            })),
        ]}
      />
      {session.mayWrite && (
        <IconButton
          label={text('addTab')}
          className="size-7"
          onClick={() => void addTab(session).catch(showErrorToast)}
        >
          <Plus size={15} />
        </IconButton>
      )}
      <div
        role="tablist"
        aria-label={text('subSheets')}
        className="scroll-thin flex min-w-0 items-stretch gap-0.5 overflow-x-auto"
        onDragOver={(event) => dragged !== undefined && event.preventDefault()}
        onDrop={drop}
      >
        {tabs.map(
          (tab, index) =>
            isShown(tab) && (
              <SheetTab
                key={tab.id}
                tab={tab}
                index={index}
                isCurrent={tab.id === current}
                isDropPlace={dragged !== undefined && before === index}
                onDrag={setDragged}
                onOver={setBefore}
                onEnd={() => {
                  setDragged(undefined);
                  setBefore(undefined);
                }}
              />
            ),
        )}
        {dragged !== undefined && before === tabs.length && <span aria-hidden className="w-0.5 bg-accent" />}
      </div>
      {session.mayWrite && shown && (
        <Menu
          align="start"
          trigger={
            <IconButton label={text('actionsFor', { name: shown.name })} className="size-7">
              <ChevronDown size={14} />
            </IconButton>
          }
          entries={entriesOf(session, shown, tabs.indexOf(shown), text)}
        />
      )}
    </div>
  );
}

interface OneTabProps {
  readonly tab: Tab;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly isDropPlace: boolean;
  readonly onDrag: (id: string) => void;
  readonly onOver: (index: number) => void;
  readonly onEnd: () => void;
}

function SheetTab({ tab, index, isCurrent, isDropPlace, onDrag, onOver, onEnd }: OneTabProps): ReactNode {
  const { session, text } = useSheet();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent]);
  return (
    <div
      role="presentation"
      className={
        'flex shrink-0 items-center rounded-lg border transition-colors ' +
        `${isCurrent ? 'border-line bg-raised text-accent' : 'border-transparent text-soft hover:bg-hover hover:text-ink'}` +
        ` ${isDropPlace ? 'shadow-[-2px_0_0_var(--color-accent)]' : ''}`
      }
      draggable={session.mayWrite}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', tab.name);
        onDrag(tab.id);
      }}
      onDragOver={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onOver(event.clientX > box.left + box.width / 2 ? index + 1 : index);
      }}
      onDragEnd={onEnd}
    >
      <button
        ref={button}
        type="button"
        role="tab"
        aria-selected={isCurrent}
        tabIndex={isCurrent ? 0 : -1}
        className={`max-w-44 truncate rounded-lg py-1 pl-3 text-[0.867rem] pr-3 ${isCurrent ? 'font-medium' : ''}`}
        style={tab.color === undefined ? undefined : { boxShadow: `inset 0 -3px #${tab.color}` }}
        onClick={() => session.show(tab.id)}
        onDoubleClick={() => session.mayWrite && void renameTab(session, tab, text).catch(showErrorToast)}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          const next = nextVisibleTab(session.tabs.get(), index, step);
          if (step === 0 || !next) return;
          event.preventDefault();
          session.show(next.id);
          // Read `currentTarget` now, because React resets it after the event.
          const list = event.currentTarget.closest('[role=tablist]');
          requestAnimationFrame(() => list?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
        }}
      >
        {tab.name}
      </button>
    </div>
  );
}

function entriesOf(session: SheetSession, tab: Tab, index: number, text: Translate): (MenuEntry | null)[] {
  const tabs = session.tabs.get();
  const before = nextVisibleTab(tabs, index, -1);
  const after = nextVisibleTab(tabs, index, 1);
  return [
    {
      label: text('rename'),
      icon: <Pencil size={15} />,
      run: () => void renameTab(session, tab, text).catch(showErrorToast),
    },
    { label: text('copy'), icon: <Copy size={15} />, run: () => void copyTab(session, tab).catch(showErrorToast) },
    null,
    {
      label: text('moveLeft'),
      icon: <ArrowLeft size={15} />,
      disabled: !before,
      run: () => before && moveTab(session, index, tabs.indexOf(before)),
    },
    {
      label: text('moveRight'),
      icon: <ArrowRight size={15} />,
      disabled: !after,
      run: () => after && moveTab(session, index, tabs.indexOf(after)),
    },
    null,
    {
      label: text('hideTab'),
      icon: <EyeOff size={15} />,
      disabled: !before && !after,
      run: () => void hideTab(session, tab, before ?? after).catch(showErrorToast),
    },
    {
      label: text('delete'),
      icon: <Trash2 size={15} />,
      danger: true,
      disabled: !before && !after,
      run: () => void deleteTab(session, tab, text).catch(showErrorToast),
    },
  ];
}

async function hideTab(session: SheetSession, tab: Tab, next: Tab | undefined): Promise<void> {
  await session.write('set_sheet_properties', { sheet_id: tab.id, visibility: 'hidden' });
  if (next) session.show(next.id);
  await session.readTabs();
}

/** Shows a hidden sub-sheet: for everyone if the user may edit the document, otherwise only in this browser tab. */
async function showHidden(session: SheetSession, tab: Tab): Promise<void> {
  if (session.mayWrite) {
    await session.write('set_sheet_properties', { sheet_id: tab.id, visibility: 'visible' });
    await session.readTabs();
  }
  session.show(tab.id);
}

export function addTab(session: SheetSession): Promise<void> {
  const place = session.tabs.get().findIndex((one) => one.id === session.current.get()) + 1;
  return showCreatedTab(session, session.write('add_sheet', { index: place }));
}

/** Shows a sub-sheet when it has been created. Keys pressed until then are queued and replayed in the sub-sheet. */
function showCreatedTab(session: SheetSession, making: Promise<{ sheet_id: string }>): Promise<void> {
  const show = async (): Promise<void> => {
    const { sheet_id: id } = await making;
    await session.readTabs();
    session.show(id);
  };
  return session.keyQueue.queueDuring(show());
}

async function renameTab(session: SheetSession, tab: Tab, text: Translate): Promise<void> {
  const name = await promptText({
    title: text('rename'),
    label: text('name'),
    initial: tab.name,
    action: text('rename'),
  });
  if (name === undefined || name === tab.name) return;
  await session.write('rename_sheet', { sheet_id: tab.id, name });
  await session.readTabs();
}

function copyTab(session: SheetSession, tab: Tab): Promise<void> {
  return showCreatedTab(session, session.write('copy_sheet', { sheet_id: tab.id }));
}

async function deleteTab(session: SheetSession, tab: Tab, text: Translate): Promise<void> {
  const { version } = await session.writeVersion('delete_sheet', { sheet_id: tab.id });
  await session.readTabs();
  showUndoToast(session, text, text('tabDeleted', { name: tab.name }), version);
}

function moveTab(session: SheetSession, from: number, to: number): void {
  if (from === to) return;
  // Show the new order of the tabs before the server confirms it.
  const tabs = [...session.tabs.get()];
  const [moved] = tabs.splice(from, 1);
  tabs.splice(to, 0, moved!);
  session.tabs.set(tabs);
  session
    .write('move_sheet', { src_index: from, dest_index: to })
    .catch(showErrorToast)
    .finally(() => void session.readTabs());
}

/** Returns the next visible sub-sheet (tab) in the direction of `step`, or undefined if there is none. */
export function nextVisibleTab(tabs: readonly Tab[], index: number, step: number): Tab | undefined {
  for (let at = index + step; step !== 0 && at >= 0 && at < tabs.length; at += step)
    if (!tabs[at]!.isHidden) return tabs[at];
  return undefined;
}
