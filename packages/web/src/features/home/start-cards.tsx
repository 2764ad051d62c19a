import { useNavigate } from '@tanstack/react-router';
import { Library, NotebookPen, Plug, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { promptText } from '../../ui/prompt-dialog.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { refreshBase } from '../knowledge/queries.ts';

interface Start {
  label: MessageKey;
  hint: MessageKey;
  icon: ReactNode;
  run: () => unknown;
}

export function StartCards({ onNote }: { onNote: () => void }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const makeSheet = async (): Promise<void> => {
    const { file_id: id } = await sheaf.manage.create_file({ title: text('untitled') });
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  const makeBase = async (): Promise<void> => {
    const name = await promptText({ title: text('newBase'), label: text('name'), action: text('create') });
    if (name === undefined) return;
    const { knowledge_base_id: base } = await sheaf.wiki.create_knowledge_base({ name });
    await refreshBase(base);
    await navigate({ to: '/wiki/$base', params: { base } });
  };
  const starts: Start[] = [
    { label: 'startNote', hint: 'startNoteHint', icon: <NotebookPen size={19} />, run: onNote },
    { label: 'startSheet', hint: 'startSheetHint', icon: <Table2 size={19} />, run: makeSheet },
    { label: 'startBase', hint: 'startBaseHint', icon: <Library size={19} />, run: makeBase },
    {
      label: 'connectAgent',
      hint: 'startAgentHint',
      icon: <Plug size={19} />,
      run: () => navigate({ to: '/account/$section', params: { section: 'connect' } }),
    },
  ];
  return (
    <ul aria-label={text('start')} className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      {starts.map((start) => (
        <li key={start.label}>
          <button
            type="button"
            onClick={() => Promise.resolve(start.run()).catch(showErrorToast)}
            className={
              'flex h-full w-full flex-col gap-1.5 rounded-xl border border-line bg-raised px-4 py-3.5 text-left ' +
              'hover:border-strong-line hover:bg-panel'
            }
          >
            <span className="text-accent">{start.icon}</span>
            <span className="font-medium">{text(start.label)}</span>
            <span className="text-sm text-soft">{text(start.hint)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
