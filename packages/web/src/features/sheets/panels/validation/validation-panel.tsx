import { ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../../ui/status-placeholders.tsx';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { parseRange } from '../../cell-geometry.ts';
import { useSession } from '../../sheet-session.ts';
import { affectsObjects, refetchTool, useLiveQuery } from '../live-query.ts';
import { ValidationForm } from './validation-form.tsx';
import { describeValidation, type Validation } from './validation-rule.ts';

/** Lists the data validation rules of the sheet. */
export function ValidationPanel(): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tab = useStore(session.current);
  const [edited, setEdited] = useState<Validation | 'new'>();
  const { data, error } = useLiveQuery('list_objects', { object_types: ['validation'] }, affectsObjects);
  if (error) return <ErrorState error={error} />;
  if (!data) return <SkeletonLines count={3} />;
  const rules = (data.validations ?? []) as unknown as readonly Validation[];
  if (edited !== undefined)
    return (
      <ValidationForm
        rule={edited === 'new' ? undefined : edited}
        onDone={() => {
          setEdited(undefined);
          void refetchTool(session, 'list_objects');
        }}
      />
    );
  const add = session.mayWrite && (
    <Button variant="primary" onClick={() => setEdited('new')}>
      <Plus size={15} /> {text('addRule')}
    </Button>
  );
  if (rules.length === 0)
    return (
      <EmptyState icon={<ListChecks />} title={text('noValidation')} actions={add}>
        {text('noValidationHint')}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{text('validationHint')}</p>
      {add && <div>{add}</div>}
      <ul aria-label={text('validation')} className="divide-y divide-line rounded-xl border border-line bg-raised">
        {rules.map((rule) => (
          <li key={rule.validation_id} className="flex items-center gap-2 px-3 py-2">
            <button
              type="button"
              className="flex min-w-0 flex-1 flex-col rounded text-left"
              onClick={() => {
                const range = parseRange(rule.ranges[0] ?? '');
                if (range) session.goTo(tab, range);
              }}
            >
              <span className="w-full truncate">{describeValidation(rule, text)}</span>
              <span className="w-full truncate font-mono text-xs text-faint">{rule.ranges.join(', ')}</span>
            </button>
            {session.mayWrite && (
              <>
                <IconButton label={text('editRule')} className="size-7" onClick={() => setEdited(rule)}>
                  <Pencil size={14} />
                </IconButton>
                <IconButton
                  label={text('deleteRule')}
                  className="size-7"
                  onClick={() =>
                    void session
                      .write('delete_object', {
                        object_type: 'validation',
                        object_id: rule.validation_id,
                        sheet_id: tab,
                      })
                      .then(() => refetchTool(session, 'list_objects'))
                      .catch(showErrorToast)
                  }
                >
                  <Trash2 size={14} />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
