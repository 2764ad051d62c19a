import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { mediaNumber } from '@sheaf/client/media-types';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/form-fields.tsx';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';

export function AddToBaseDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }): ReactNode {
  const text = useTranslation();
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
    showToast(text('addedTo', { name: base.name }));
  };
  return (
    <Dialog title={text('addToBase')} onClose={onClose}>
      <p className="text-soft">{text('addToBaseHint')}</p>
      {bases.isPending ? (
        <SkeletonLines count={1} className="h-9" />
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
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
        <Button variant="primary" disabled={!base} onClick={() => add().catch(showErrorToast)}>
          {text('add')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
