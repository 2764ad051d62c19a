import { Cloud, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../ui/store.ts';
import { useSession, useSheet } from './sheet-session.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

const RejectedEditsDialog = lazyComponent(
  async () => (await import('./rejected-edits-dialog.tsx')).RejectedEditsDialog,
);

/** Shows whether all edits are saved, and how many edits are queued because the server is unreachable. */
export function SaveStatus(): ReactNode {
  const { session, text } = useSheet();
  const { role } = useStore(session.info);
  const { kind, pendingCount, isPersisted } = useStore(session.outbox.state);
  const isUnsafe = pendingCount > 0 && !isPersisted;
  useEffect(() => {
    if (!isUnsafe) return undefined;
    const leaving = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', leaving);
    return () => window.removeEventListener('beforeunload', leaving);
  }, [isUnsafe]);
  const shown = {
    saved: { Icon: Cloud, label: text('saved'), hint: text('savedAlready') },
    saving: { Icon: CloudUpload, label: text('saving'), hint: text('saving') },
    away: {
      Icon: CloudOff,
      label: text(isPersisted ? 'keptHere' : 'keptInPage', { count: pendingCount }),
      hint: text(isPersisted ? 'keptHint' : 'keptInPageHint'),
    },
  }[kind];
  return (
    <span role="status" className={`text-sm ${kind === 'away' ? 'min-w-0 text-warn' : 'shrink-0 text-soft'}`}>
      {(role !== 'viewer' || pendingCount > 0) && (
        <span className="flex items-center gap-1.5" title={shown.hint}>
          <shown.Icon size={14} className="shrink-0" />
          <span className="truncate">{shown.label}</span>
        </span>
      )}
    </span>
  );
}

/** Shows that the server rejected edits, with a button that opens the list of rejected edits. */
export function RejectedEditsBar(): ReactNode {
  const text = useTranslation();
  const { length } = useStore(useSession().outbox.rejected);
  const [isOpen, setOpen] = useState(false);
  if (length === 0) {
    if (isOpen) setOpen(false);
    return null;
  }
  return (
    <>
      <div
        role="alert"
        className="flex shrink-0 items-center gap-3 border-b border-line bg-danger-soft px-4 py-1.5 text-sm text-danger"
      >
        <TriangleAlert size={15} className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">{text('editsRefused', { count: length })}</span>
        <Button variant="quiet" className="h-7 text-sm" onClick={() => setOpen(true)}>
          {text('lookAtRefused')}
        </Button>
      </div>
      {isOpen && <RejectedEditsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
