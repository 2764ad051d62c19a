import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { errorMessage } from '../lib/api-client.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton, type ButtonVariant } from './button.tsx';
import { restoreFocus } from './restore-focus.ts';

const widths = { small: 'w-[26rem]', medium: 'w-[36rem]', large: 'w-[64rem]' } as const;

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  width?: keyof typeof widths;
  bare?: boolean;
}

/**
 * A modal dialog based on the browser's native dialog, which traps the focus and closes with Escape. Restores the focus
 * when closed.
 */
export function Dialog({ title, onClose, children, width = 'small', bare = false }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = useTranslation();
  // This must be a layout effect, because its cleanup runs while the element is still in the document and can be
  // closed.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) {
      element.showModal();
      // Focus the first field, or else the dialog itself. By default the browser would focus the close button.
      const field = element.querySelector<HTMLElement>(
        ':is(input:not([type=checkbox], [type=file]), textarea, select):not(:disabled)',
      );
      (field ?? element).focus();
    }
    return () => {
      element?.close();
      restoreFocus(opener);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        // Ignore cancel events of descendants, for example of a file input. React lets them bubble to the dialog.
        if (event.target === dialog.current) {
          event.preventDefault();
          onClose();
        }
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      className={
        'rise m-auto outline-none max-h-[min(90dvh,60rem)] max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-2xl border ' +
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

/** The cancel and action buttons of a dialog. Without `onAction`, the action button submits the surrounding form. */
export function DialogActions({
  action,
  variant = 'primary',
  disabled,
  onAction,
  onCancel,
}: {
  action: string;
  variant?: ButtonVariant | undefined;
  disabled: boolean;
  onAction?: () => void;
  onCancel: () => void;
}): ReactNode {
  const text = useTranslation();
  return (
    <DialogButtons>
      <Button variant="quiet" onClick={onCancel}>
        {text('cancel')}
      </Button>
      <Button type={onAction ? 'button' : 'submit'} variant={variant} disabled={disabled} onClick={onAction}>
        {action}
      </Button>
    </DialogButtons>
  );
}

interface FormDialogProps {
  title: string;
  width?: keyof typeof widths;
  action: string | ((isBusy: boolean) => string);
  variant?: ButtonVariant | undefined;
  /** True if the fields are filled in as the action needs. Otherwise the action button is disabled. */
  isReady: boolean;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: (error: string | undefined) => ReactNode;
}

/** A dialog with a form. If `onSubmit` fails, the dialog stays open and passes the error message to `children`. */
export function FormDialog({ action, variant, isReady, onSubmit, children, ...dialog }: FormDialogProps): ReactNode {
  const [message, setMessage] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (!isReady || isBusy) return;
    setBusy(true);
    setMessage(undefined);
    await onSubmit().catch((error: unknown) => setMessage(errorMessage(error)));
    setBusy(false);
  };
  return (
    <Dialog {...dialog}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children(message)}
        <DialogActions
          action={typeof action === 'string' ? action : action(isBusy)}
          variant={variant}
          // The button is not disabled during the action, because a disabled button would lose the focus.
          disabled={!isReady}
          onCancel={dialog.onClose}
        />
      </form>
    </Dialog>
  );
}
