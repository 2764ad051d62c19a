import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { mediaNumber } from '@sheaf/client/media-number';
import { sheaf } from '../lib/client.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Lines } from '../ui/states.tsx';
import { say, sayError } from '../ui/toast.tsx';

export function AddToBaseDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }): ReactNode {
  const text = useText();
  const bases = useQuery({
    queryKey: ['addable'],
    queryFn: () => sheaf.wiki.get_addable_knowledge_base_list({ cursor: '', limit: 50 }),
  });
  const [chosen, setChosen] = useState('');
  const list = bases.data?.addable_knowledge_base_list ?? [];
  const base = list.find((each) => each.id === chosen) ?? list[0];
  const add = async (): Promise<void> => {
    if (!base) return;
    onClose();
    await sheaf.wiki.add_knowledge({
      media_type: mediaNumber.note,
      title,
      knowledge_base_id: base.id,
      note_info: { content_id: id },
    });
    say(text('addedTo', { name: base.name }));
  };
  return (
    <Dialog title={text('addToBase')} onClose={onClose}>
      <p className="text-soft">{text('addToBaseHint')}</p>
      {bases.isPending ? (
        <Lines count={1} className="h-9" />
      ) : (
        <Field label={text('knowledgeBase')}>
          {(ids) => (
            <Select {...ids} value={base?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
              {list.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <DialogButtons>
        <Button look="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        <Button look="primary" disabled={!base} onClick={() => add().catch(sayError)}>
          {text('add')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
