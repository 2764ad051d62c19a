import type { ReactNode } from 'react';
import { formatTimeAgo } from '../../lib/format.ts';
import { useTranslation, type Language, type Translate } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { CodeSnippet } from '../../ui/page-layout.tsx';

interface SecretDialogProps {
  title: string;
  hint: string;
  /** True if the server returns the secrets only once. `hint` is then shown as a warning. */
  isOnce?: boolean;
  secrets: Readonly<Record<string, string>>;
  onClose: () => void;
}

export function SecretDialog({ title, hint, isOnce = false, secrets, onClose }: SecretDialogProps): ReactNode {
  const text = useTranslation();
  return (
    <Dialog title={title} onClose={onClose} width="medium">
      <p className={isOnce ? 'rounded-xl bg-warn-soft px-4 py-3 text-warn' : 'text-soft'}>{hint}</p>
      {Object.entries(secrets).map(([label, code]) => (
        <CodeSnippet key={label} label={label} code={code} />
      ))}
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {text('done')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

export function Badge({ tone = 'accent', children }: { tone?: 'accent' | 'warn'; children: ReactNode }): ReactNode {
  const colors = tone === 'accent' ? 'bg-accent-soft text-accent' : 'bg-warn-soft text-warn';
  return <span className={`rounded-full px-2 py-0.5 text-xs font-medium ${colors}`}>{children}</span>;
}

export function formatLastUsed(time: number, text: Translate, language: Language): string {
  return time === 0 ? text('neverUsed') : text('lastUsed', { time: formatTimeAgo(time, language) });
}
