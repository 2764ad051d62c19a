import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/store.ts';
import { useSheet } from './sheet-session.ts';

/** Shows the open panel beside the cells, or below the cells on a phone. It never covers cells. */
export function SidePanel(): ReactNode {
  const { session, text } = useSheet();
  const open = useStore(session.panel);
  const panel = useStore(session.panels).find((one) => one.name === open);
  if (!panel) return null;
  return (
    <aside
      aria-label={panel.title}
      data-part
      data-focus-scope
      className="rise flex h-1/2 w-full shrink-0 flex-col border-t border-line bg-paper sm:h-auto sm:w-80 sm:border-t-0 sm:border-l"
    >
      <header className="flex items-center justify-between gap-2 py-2 pr-2 pl-4">
        <h2 className="font-serif text-lg font-semibold">{panel.title}</h2>
        <IconButton label={text('close')} onClick={() => session.closePanel()}>
          <X size={17} />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pb-4">{panel.render()}</div>
    </aside>
  );
}
