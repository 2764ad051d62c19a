import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import { Field, TextInput } from './form-fields.tsx';
import { Store, useStore } from './store.ts';

interface PromptRequest {
  title: string;
  explanation?: string | undefined;
  /** With a label the dialog asks for text, without one for yes or no. */
  label?: string | undefined;
  initial?: string | undefined;
  placeholder?: string | undefined;
  mayBeEmpty?: boolean | undefined;
  action: string;
  danger?: boolean | undefined;
  answer: (text: string | undefined) => void;
}

const currentPrompt = new Store<PromptRequest | undefined>(undefined);

function showPrompt(asked: Omit<PromptRequest, 'answer'>): Promise<string | undefined> {
  return new Promise((resolve) => {
    currentPrompt.get()?.answer(undefined);
    currentPrompt.set({
      ...asked,
      answer: (text) => {
        currentPrompt.set(undefined);
        resolve(text);
      },
    });
  });
}

/** Asks for a line of text; resolves to undefined if the user cancels. */
export function promptText(asked: Omit<PromptRequest, 'answer'> & { label: string }): Promise<string | undefined> {
  return showPrompt(asked);
}

export async function confirmAction(asked: Omit<PromptRequest, 'answer' | 'label' | 'initial'>): Promise<boolean> {
  return (await showPrompt(asked)) !== undefined;
}

export function PromptDialogHost(): ReactNode {
  const asked = useStore(currentPrompt);
  return asked ? <PromptDialog key={asked.title + (asked.initial ?? '')} asked={asked} /> : null;
}

function PromptDialog({ asked }: { asked: PromptRequest }): ReactNode {
  const text = useTranslation();
  const [value, setValue] = useState(asked.initial ?? '');
  const missing = asked.label !== undefined && !asked.mayBeEmpty && value.trim() === '';
  return (
    <Dialog title={asked.title} onClose={() => asked.answer(undefined)}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing) asked.answer(value.trim());
        }}
      >
        {asked.explanation !== undefined && <p className="text-soft">{asked.explanation}</p>}
        {asked.label !== undefined && (
          <Field label={asked.label}>
            {(ids) => (
              <TextInput
                {...ids}
                autoFocus
                value={value}
                placeholder={asked.placeholder}
                onFocus={(event) => event.target.select()}
                onChange={(event) => setValue(event.target.value)}
              />
            )}
          </Field>
        )}
        <DialogButtons>
          <Button variant="quiet" onClick={() => asked.answer(undefined)}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant={asked.danger ? 'danger' : 'primary'} disabled={missing}>
            {asked.action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
