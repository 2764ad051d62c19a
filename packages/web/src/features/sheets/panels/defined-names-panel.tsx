import { useQuery } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/form-fields.tsx';
import { useStore } from '../../../ui/store.ts';
import { columnName, parseRange, parseReference, type CellRange } from '../cell-geometry.ts';
import { useRevisions, useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { useDebouncedRefetch } from './live-query.ts';
import { ObjectForm, ObjectListPanel, ObjectRow } from './object-list-panel.tsx';
import { LiveSelect, TextField } from './panel-inputs.tsx';

type Name = NonNullable<ToolOutput<'list_objects'>['names']>[number];

/** Formats a range of the current sub-sheet as an absolute reference, such as `=Sheet1!$A$1:$B$2`. */
function fixed(session: SheetSession, { top, left, bottom, right }: CellRange): string {
  const { name } = session.tab;
  const sheet = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
  const first = `$${columnName(left)}$${top + 1}`;
  const last = `$${columnName(right)}$${bottom + 1}`;
  return `=${sheet}!${first === last ? first : `${first}:${last}`}`;
}

export function DefinedNamesPanel(): ReactNode {
  const { session, text } = useSheet();
  const tabs = useStore(session.tabs);
  const queryKey = ['sheet', session.fileId, 'list_objects', 'names'];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => session.read('list_objects', { object_types: ['name'] }, signal),
    staleTime: 0,
  });
  useRevisions(useDebouncedRefetch(queryKey));
  const go = ({ refers_to }: Name): void => {
    const { sheet, name } = parseReference(refers_to.slice(1));
    const tab = tabs.find((one) => one.name === sheet);
    const range = parseRange(name);
    if (range) session.goTo(tab?.id ?? session.current.get(), range);
  };
  return (
    <ObjectListPanel
      query={query}
      tool="list_objects"
      items={({ names = [] }) => names.toSorted((a, b) => (a.name < b.name ? -1 : 1))}
      label={text('names')}
      hint={text('namesHint')}
      empty={{ icon: <Tag />, title: text('noNames'), hint: text('noNamesHint') }}
      add={text('addName')}
      form={(name, onDone) => <NameForm name={name} onDone={onDone} />}
      row={(one, { edit, run }) => {
        const scope = one.sheet_id === undefined ? {} : { sheet_id: one.sheet_id };
        return (
          <ObjectRow
            key={`${one.sheet_id ?? ''} ${one.name}`}
            title={
              <span className="font-medium">
                {one.name}
                {one.sheet_id !== undefined && (
                  <span className="ml-2 text-sm font-normal text-faint">
                    {tabs.find(({ id }) => id === one.sheet_id)?.name}
                  </span>
                )}
              </span>
            }
            detail={one.refers_to}
            editLabel={text('editName', { name: one.name })}
            deleteLabel={text('deleteName', { name: one.name })}
            onGo={() => go(one)}
            onEdit={edit}
            onDelete={() => run(session.write('delete_object', { object_type: 'name', object_id: one.name, ...scope }))}
          />
        );
      }}
    />
  );
}

function NameForm({ name, onDone }: { name: Name | undefined; onDone: () => void }): ReactNode {
  const { session, text } = useSheet();
  const tabs = useStore(session.tabs);
  const [called, setCalled] = useState(name?.name ?? '');
  const [refers, setRefers] = useState(() => name?.refers_to ?? fixed(session, session.selection.get().range));
  const [scope, setScope] = useState(name?.sheet_id ?? '');
  const where = scope === '' ? {} : { sheet_id: scope };
  return (
    <ObjectForm
      label={text('names')}
      saveLabel={text('saveName')}
      isReady={called.trim() !== '' && refers.trim() !== ''}
      save={() => session.write('set_name', { name: called.trim(), refers_to: refers.trim(), ...where })}
      onDone={onDone}
    >
      <TextField
        label={text('nameOfRange')}
        autoFocus
        value={called}
        spellCheck={false}
        // The name of an existing entry is read-only, because saving under another name would create a second entry.
        readOnly={name !== undefined}
        onChange={setCalled}
      />
      <Field label={text('refersTo')}>
        {(ids) => (
          <div className="flex gap-2">
            <TextInput {...ids} value={refers} spellCheck={false} onChange={(event) => setRefers(event.target.value)} />
            <Button onClick={() => setRefers(fixed(session, session.selection.get().range))}>
              {text('useSelection')}
            </Button>
          </div>
        )}
      </Field>
      <Field label={text('nameScope')}>
        {(ids) => (
          <LiveSelect
            {...ids}
            value={scope}
            disabled={name !== undefined}
            onChange={setScope}
            options={[['', text('wholeDocument')], ...tabs.map((tab) => [tab.id, tab.name] as const)]}
          />
        )}
      </Field>
    </ObjectForm>
  );
}
