import { useState, type ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import { Field, TextInput } from './field.tsx';
import { Store, useStore } from './store.ts';

interface Question {
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

const question = new Store<Question | undefined>(undefined);

function put(asked: Omit<Question, 'answer'>): Promise<string | undefined> {
  return new Promise((resolve) => {
    question.get()?.answer(undefined);
    question.set({
      ...asked,
      answer: (text) => {
        question.set(undefined);
        resolve(text);
      },
    });
  });
}

/** Asks for a line of text; resolves to undefined if the user cancels. */
export function askText(asked: Omit<Question, 'answer'> & { label: string }): Promise<string | undefined> {
  return put(asked);
}

export async function askYes(asked: Omit<Question, 'answer' | 'label' | 'initial'>): Promise<boolean> {
  return (await put(asked)) !== undefined;
}

export function AskHost(): ReactNode {
  const asked = useStore(question);
  return asked ? <Asked key={asked.title + (asked.initial ?? '')} asked={asked} /> : null;
}

function Asked({ asked }: { asked: Question }): ReactNode {
  const text = useText();
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
          <Button look="quiet" onClick={() => asked.answer(undefined)}>
            {text('cancel')}
          </Button>
          <Button type="submit" look={asked.danger ? 'danger' : 'primary'} disabled={missing}>
            {asked.action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
