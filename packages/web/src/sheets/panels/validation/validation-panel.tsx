import { ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useText } from '../../../text/use-text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Empty, Failed, Lines } from '../../../ui/states.tsx';
import { useStore } from '../../../ui/store.ts';
import { sayError } from '../../../ui/toast.tsx';
import { rangeNamed } from '../../geometry.ts';
import { useSession } from '../../session.ts';
import { movesObjects, readAgain, useLive } from '../live.ts';
import { ValidationForm } from './validation-form.tsx';
import { wordsOf, type Validation } from './validation-rule.ts';

/** Lists the data validation rules of the sheet. */
export function ValidationPanel(): ReactNode {
  const text = useText();
  const session = useSession();
  const tab = useStore(session.current);
  const [edited, setEdited] = useState<Validation | 'new'>();
  const { data, error } = useLive('list_objects', { object_types: ['validation'] }, movesObjects);
  if (error) return <Failed error={error} />;
  if (!data) return <Lines count={3} />;
  const rules = (data.validations ?? []) as unknown as readonly Validation[];
  if (edited !== undefined)
    return (
      <ValidationForm
        rule={edited === 'new' ? undefined : edited}
        onDone={() => {
          setEdited(undefined);
          void readAgain(session, 'list_objects');
        }}
      />
    );
  const add = session.mayWrite && (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus size={15} /> {text('addRule')}
    </Button>
  );
  if (rules.length === 0)
    return (
      <Empty icon={<ListChecks />} title={text('noValidation')} actions={add}>
        {text('noValidationHint')}
      </Empty>
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
                const range = rangeNamed(rule.ranges[0] ?? '');
                if (range) session.goTo(tab, range);
              }}
            >
              <span className="w-full truncate">{wordsOf(rule, text)}</span>
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
                      .then(() => readAgain(session, 'list_objects'))
                      .catch(sayError)
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
