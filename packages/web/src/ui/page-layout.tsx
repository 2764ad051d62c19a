import { Copy } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * A scrolling page with a title and actions; the primary action is the last one. All pages have the same width, so that
 * the layout does not move during navigation. Pages with long texts limit the text width themselves (max-w-3xl).
 */
export function Page({ title, lead, actions, children }: PageProps): ReactNode {
  useDocumentTitle(title);
  return (
    <div className="scroll-thin h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-5xl flex-col gap-6 px-4 py-6 md:px-10 md:py-10">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-col gap-1">
            <h1 className="font-serif text-3xl font-semibold tracking-tight break-words">{title}</h1>
            {lead !== undefined && <div className="text-soft">{lead}</div>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'sheaf' : `${title} · sheaf`;
  }, [title]);
}

interface SectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-serif text-lg font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

export function CodeSnippet({ code, label }: { code: string; label: string }): ReactNode {
  const text = useTranslation();
  const shown = useRef<HTMLPreElement>(null);
  const copy = async (): Promise<void> => {
    // The clipboard API needs a secure context. Over plain http, select the text instead, so that the user can copy it.
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(code);
      showToast(text('copied'));
    } else if (shown.current) getSelection()?.selectAllChildren(shown.current);
  };
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-panel">
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3.5">
        <span className="text-sm font-medium text-soft">{label}</span>
        <Button variant="quiet" className="h-7" aria-label={`${text('copy')}: ${label}`} onClick={() => void copy()}>
          <Copy size={14} /> {text('copy')}
        </Button>
      </div>
      <pre
        ref={shown}
        className="scroll-thin overflow-x-auto px-3.5 py-3 font-mono text-[0.83rem] leading-relaxed"
        tabIndex={0}
      >
        {code}
      </pre>
    </div>
  );
}
