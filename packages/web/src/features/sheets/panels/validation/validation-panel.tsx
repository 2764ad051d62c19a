import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from '../../../../ui/store.ts';
import { useSheet } from '../../sheet-session.ts';
import { affectsObjects, useLiveQuery } from '../live-query.ts';
import { ObjectListPanel, ObjectRow, useGoToRange } from '../object-list-panel.tsx';
import { ValidationForm } from './validation-form.tsx';
import { describeValidation, type Validation } from './validation-rule.ts';

export function ValidationPanel(): ReactNode {
  const { session, text } = useSheet();
  const sheet_id = useStore(session.current);
  const goTo = useGoToRange();
  return (
    <ObjectListPanel
      query={useLiveQuery('list_objects', { object_types: ['validation'] }, affectsObjects)}
      tool="list_objects"
      items={(data) => (data.validations ?? []) as unknown as readonly Validation[]}
      label={text('validation')}
      hint={text('validationHint')}
      empty={{ icon: <ListChecks />, title: text('noValidation'), hint: text('noValidationHint') }}
      add={text('addRule')}
      form={(rule, onDone) => <ValidationForm rule={rule} onDone={onDone} />}
      row={(rule, { edit, run }) => (
        <ObjectRow
          key={rule.validation_id}
          title={describeValidation(rule, text)}
          detail={rule.ranges.join(', ')}
          editLabel={text('editRule')}
          deleteLabel={text('deleteRule')}
          onGo={() => goTo(rule.ranges)}
          onEdit={edit}
          onDelete={() =>
            run(session.write('delete_object', { object_type: 'validation', object_id: rule.validation_id, sheet_id }))
          }
        />
      )}
    />
  );
}
