import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { mediaNumber } from '@sheaf/client/media-types';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form-fields.tsx';
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
        <SelectField
          label={text('knowledgeBase')}
          value={base?.id ?? ''}
          options={list.map(({ id, name }) => [id, name])}
          onChange={setChosen}
        />
      )}
      <DialogActions
        action={text('add')}
        disabled={!base}
        onAction={() => add().catch(showErrorToast)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
