import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from './button.tsx';
import { restoreFocus } from './restore-focus.ts';

const widths = { small: 'w-[26rem]', medium: 'w-[36rem]', large: 'w-[64rem]' } as const;

/** The browser's native modal dialog: it traps the focus, closes with Escape and restores the focus. */
export function Dialog({
  title,
  onClose,
  children,
  width = 'small',
  bare = false,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  width?: keyof typeof widths;
  bare?: boolean;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = useTranslation();
  // A layout effect, because its cleanup runs while the element is still in the document and can be closed.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) {
      element.showModal();
      // Focus the first text field; the browser would focus the close button.
      element.querySelector<HTMLElement>('input:not([type="checkbox"]), textarea')?.focus();
    }
    return () => {
      element?.close();
      restoreFocus(opener);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // React also delivers cancel events of descendants, for example of a file input.
        if (event.target === dialog.current) {
          event.preventDefault();
          onClose();
        }
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      className={
        'rise m-auto max-h-[min(90dvh,60rem)] max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-2xl border ' +
        `border-line bg-paper shadow-float open:flex open:flex-col ${bare ? 'mt-[12dvh]' : ''} ` +
        `${widths[width]}`
      }
    >
      <header className={bare ? 'sr-only' : 'flex items-center justify-between gap-4 px-5 pt-4 pb-1'}>
        <h2 id={id} className="font-serif text-lg font-semibold">
          {title}
        </h2>
        {!bare && (
          <IconButton label={text('close')} onClick={onClose} className="-mr-2">
            <X size={18} />
          </IconButton>
        )}
      </header>
      <div
        className={
          bare ? 'flex min-h-0 flex-col' : 'scroll-thin flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-2 pb-5'
        }
      >
        {children}
      </div>
    </dialog>
  );
}

export function DialogButtons({ children }: { children: ReactNode }): ReactNode {
  return <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>;
}
