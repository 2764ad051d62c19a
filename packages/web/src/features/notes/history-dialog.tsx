import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useActorNames } from '../account/account-queries.ts';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDateTime, formatBytes } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { ViewSwitch } from '../../ui/form-fields.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { diffLines, type DiffLine } from './line-diff.ts';

interface HistoryDialogProps {
  id: string;
  onClose: () => void;
  onRestore: (write: () => Promise<{ version: number }>) => Promise<void>;
}

export function HistoryDialog({ id, onClose, onRestore }: HistoryDialogProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const actors = useActorNames();
  const me = useCurrentUser();
  const history = useQuery({
    queryKey: ['note-history', id],
    queryFn: () => sheaf.note.get_note_history({ note_id: id, limit: 100 }),
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<number>();
  const [view, setView] = useState<'changes' | 'text'>('changes');
  const version = chosen ?? history.data?.version;
  const now = useQuery({ ...versionQuery(id, version ?? 0), enabled: version !== undefined });
  const before = useQuery({ ...versionQuery(id, (version ?? 0) - 1), enabled: version !== undefined && version > 1 });
  const restore = async (): Promise<void> => {
    await onRestore(() => sheaf.note.restore_note_version({ note_id: id, version: version! }));
    onClose();
    await queryClient.invalidateQueries({ queryKey: ['note-history', id] });
    showToast(text('versionRestored', { version: version! }));
  };
  return (
    <Dialog title={text('history')} onClose={onClose} width="large">
      {history.error ? (
        <ErrorState error={history.error} />
      ) : (
        <div className="flex min-h-0 flex-col gap-4 md:h-[60dvh] md:flex-row">
          <ul
            className="scroll-thin flex max-h-48 shrink-0 flex-col gap-0.5 overflow-y-auto md:max-h-none md:w-64"
            aria-label={text('versions')}
          >
            {history.isPending && <SkeletonLines count={4} />}
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
                    <span className="text-sm text-faint">{formatBytes(each.size, language)}</span>
                  </span>
                  <span className="text-sm text-soft">{formatDateTime(each.time, language)}</span>
                  <span className="flex items-center gap-1 text-xs text-faint">
                    {!isPerson(each.key_id) && <Bot size={13} aria-hidden />}
                    {each.user_id !== me?.user_id
                      ? each.user_name
                      : isPerson(each.key_id)
                        ? text('byYou')
                        : actors(each.key_id)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <div className="flex min-h-40 min-w-0 flex-1 flex-col gap-2">
            <ViewSwitch<typeof view>
              label={text('view')}
              value={view}
              options={[
                ['changes', text('changesView')],
                ['text', text('wholeText')],
              ]}
              onChange={setView}
              className="flex self-start"
            />
            <pre
              className="scroll-thin min-h-0 flex-1 overflow-auto rounded-xl border border-line bg-panel p-4 font-mono text-sm whitespace-pre-wrap"
              tabIndex={0}
              aria-label={text('noteText')}
            >
              {view === 'text' ? (
                now.data?.content
              ) : now.data && (version === 1 || before.data) ? (
                <DiffView before={before.data?.content ?? ''} after={now.data.content} />
              ) : null}
            </pre>
          </div>
        </div>
      )}
      <DialogButtons>
        <Button variant="quiet" onClick={onClose}>
          {text('close')}
        </Button>
        <Button
          variant="primary"
          disabled={version === undefined || version === history.data?.version}
          onClick={() => restore().catch(showErrorToast)}
        >
          {text('restoreVersion')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function versionQuery(id: string, version: number) {
  return {
    queryKey: ['note-text', id, version],
    queryFn: () => sheaf.note.export_note({ note_id: id, format: 'markdown', version }),
    staleTime: Infinity,
  };
}

/** Returns whether a change was made in the page or on the command line, and not with an API key or app. */
function isPerson(keyId: string): boolean {
  return keyId === '' || keyId.startsWith('session_');
}

const looks: Record<DiffLine['kind'], string> = {
  same: 'text-soft',
  added: 'bg-accent-soft text-ink',
  removed: 'bg-danger-soft text-ink line-through decoration-danger/60',
  folded: 'text-faint italic',
};
const signs: Record<DiffLine['kind'], string> = { same: '  ', added: '+ ', removed: '− ', folded: '  ' };

function DiffView({ before, after }: { before: string; after: string }): ReactNode {
  const text = useTranslation();
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return lines.map((line, index) => (
    <span key={index} data-diff={line.kind} className={`block rounded-sm px-1 ${looks[line.kind]}`}>
      <span aria-hidden className="select-none">
        {signs[line.kind]}
      </span>
      {line.kind === 'folded' ? text('sameLines', { count: line.text }) : line.text}
    </span>
  ));
}
