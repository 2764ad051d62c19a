import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { UnreachableError, errorMessage } from '../lib/api-client.ts';
import { language, translatorFor, useTranslation } from '../i18n/use-translation.ts';
import { Store, useStore } from './store.ts';

interface Toast {
  id: number;
  message: string;
  isError: boolean;
  /** Button of the message. If the promise of `run` rejects, an error message is shown. */
  action: { label: string; run: () => unknown } | undefined;
}

const shownMs = 8000;
const toasts = new Store<readonly Toast[]>([]);
let made = 0;

export function showToast(message: string, action?: Toast['action']): void {
  add({ id: ++made, message, isError: false, action });
}

export function showErrorToast(error: unknown): void {
  const message =
    error instanceof UnreachableError ? translatorFor(language.get())('unreachable') : errorMessage(error);
  add({ id: ++made, message, isError: true, action: undefined });
}

function add(toast: Toast): void {
  const others = toasts.get().filter((other) => other.message !== toast.message);
  toasts.set([...others.slice(-2), toast]);
  setTimeout(() => remove(toast.id), toast.isError ? shownMs * 2 : shownMs);
}

function remove(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function Toaster(): ReactNode {
  const text = useTranslation();
  const shown = useStore(toasts);
  return (
    <div
      role="region"
      aria-label={text('messages')}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-20 z-50 flex flex-col items-center gap-2 md:bottom-6"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          role={toast.isError ? 'alert' : 'status'}
          className="rise pointer-events-auto flex max-w-lg items-center gap-3 rounded-xl bg-ink py-2 pr-2 pl-4 text-[0.933rem] text-paper shadow-float"
        >
          <span className="min-w-0 py-0.5 break-words">{toast.message}</span>
          {toast.action && (
            <button
              type="button"
              className="rounded-md px-2 py-0.5 font-semibold underline underline-offset-2 hover:opacity-80"
              onClick={() => {
                remove(toast.id);
                Promise.resolve(toast.action?.run()).catch(showErrorToast);
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button
            type="button"
            aria-label={text('close')}
            className="rounded-md p-1 opacity-70 hover:opacity-100"
            onClick={() => remove(toast.id)}
          >
            <X size={15} />
          </button>
        </div>
      ))}
    </div>
  );
}
