import { useState, type ReactNode } from 'react';
import { FormDialog } from './dialog.tsx';
import { TextField } from './form-fields.tsx';
import { Store, useStore } from './store.ts';

interface PromptRequest {
  title: string;
  explanation?: string | undefined;
  /** Label of the text field. Without a label, the dialog only asks for confirmation. */
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

/** Asks the user for a line of text in a dialog. Resolves to undefined if the user cancels. */
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
  const [value, setValue] = useState(asked.initial ?? '');
  const missing = asked.label !== undefined && !asked.mayBeEmpty && value.trim() === '';
  return (
    <FormDialog
      title={asked.title}
      action={asked.action}
      variant={asked.danger ? 'danger' : 'primary'}
      isReady={!missing}
      onSubmit={async () => asked.answer(value.trim())}
      onClose={() => asked.answer(undefined)}
    >
      {() => (
        <>
          {asked.explanation !== undefined && <p className="text-soft">{asked.explanation}</p>}
          {asked.label !== undefined && (
            <TextField
              label={asked.label}
              autoFocus
              value={value}
              placeholder={asked.placeholder}
              onFocus={(event) => event.target.select()}
              onChange={setValue}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
