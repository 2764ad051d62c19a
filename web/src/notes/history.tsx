import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { queries, sheaf } from '../lib/client.ts';
import { momentOf, sizeOf } from '../lib/format.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Failed, Lines } from '../ui/states.tsx';
import { say, sayError } from '../ui/toast.tsx';

export function HistoryDialog({
  id,
  onClose,
  onRestore,
}: {
  id: string;
  onClose: () => void;
  onRestore: (write: () => Promise<{ version: number }>) => Promise<void>;
}): ReactNode {
  const text = useText();
  const language = useLanguage();
  const history = useQuery({
    queryKey: ['note-history', id],
    queryFn: () => sheaf.note.get_note_history({ note_id: id, limit: 100 }),
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<number>();
  const version = chosen ?? history.data?.version;
  const old = useQuery({
    queryKey: ['note-text', id, version],
    queryFn: () => sheaf.note.export_note({ note_id: id, format: 'markdown', version }),
    enabled: version !== undefined,
    staleTime: Infinity,
  });
  const restore = async (): Promise<void> => {
    await onRestore(() => sheaf.note.restore_note_version({ note_id: id, version: version! }));
    onClose();
    await queries.invalidateQueries({ queryKey: ['note-history', id] });
    say(text('versionRestored', { version: version! }));
  };
  return (
    <Dialog title={text('history')} onClose={onClose} width="large">
      {history.error ? (
        <Failed error={history.error} />
      ) : (
        <div className="flex min-h-0 flex-col gap-4 md:h-[60dvh] md:flex-row">
          <ul
            className="scroll-thin flex max-h-48 shrink-0 flex-col gap-0.5 overflow-y-auto md:max-h-none md:w-64"
            aria-label={text('versions')}
          >
            {history.isPending && <Lines count={4} />}
            {history.data?.versions.map((each) => (
              <li key={each.version}>
                <button
                  type="button"
                  aria-pressed={each.version === version}
                  onClick={() => setChosen(each.version)}
                  className="flex w-full flex-col rounded-lg px-3 py-2 text-left hover:bg-hover aria-pressed:bg-accent-soft"
                >
                  <span className="flex justify-between gap-2">
                    <span className="font-medium">{text('versionNumber', { version: each.version })}</span>
                    <span className="text-sm text-faint">{sizeOf(each.size, language)}</span>
                  </span>
                  <span className="text-sm text-soft">{momentOf(each.time, language)}</span>
                </button>
              </li>
            ))}
          </ul>
          <pre
            className="scroll-thin min-h-40 min-w-0 flex-1 overflow-auto rounded-xl border border-line bg-panel p-4 font-mono text-sm whitespace-pre-wrap"
            tabIndex={0}
            aria-label={text('noteText')}
          >
            {old.data?.content}
          </pre>
        </div>
      )}
      <DialogButtons>
        <Button look="quiet" onClick={onClose}>
          {text('close')}
        </Button>
        <Button
          look="primary"
          disabled={version === undefined || version === history.data?.version}
          onClick={() => restore().catch(sayError)}
        >
          {text('restoreVersion')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
