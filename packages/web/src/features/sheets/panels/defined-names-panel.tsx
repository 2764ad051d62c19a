import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select, TextInput } from '../../../ui/form-fields.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { columnName, parseRange, type CellRange } from '../cell-geometry.ts';
import { useRevisions, useSession, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { refetchTool, useDebouncedRefetch } from './live-query.ts';

type Name = NonNullable<ToolOutput<'list_objects'>['names']>[number];

/** Formats a range as an absolute reference. */
function fixed(session: SheetSession, { top, left, bottom, right }: CellRange): string {
  const { name } = session.tab;
  const sheet = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
  const first = `$${columnName(left)}$${top + 1}`;
  const last = `$${columnName(right)}$${bottom + 1}`;
  return `=${sheet}!${first === last ? first : `${first}:${last}`}`;
}

/** Lists the defined names of the document and its sheets. */
export function DefinedNamesPanel(): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tabs = useStore(session.tabs);
  const [edited, setEdited] = useState<Name | 'new'>();
  const queryKey = ['sheet', session.fileId, 'list_objects', 'names'];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => session.read('list_objects', { object_types: ['name'] }, signal),
    staleTime: 0,
  });
  useRevisions(useDebouncedRefetch(queryKey));
  if (error) return <ErrorState error={error} />;
  if (!data) return <SkeletonLines count={3} />;
  const names = (data.names ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const done = (): void => {
    setEdited(undefined);
    void refetchTool(session, 'list_objects');
  };
  if (edited !== undefined) return <NameForm name={edited === 'new' ? undefined : edited} onDone={done} />;
  const add = session.mayWrite && (
    <Button variant="primary" onClick={() => setEdited('new')}>
      <Plus size={15} /> {text('addName')}
    </Button>
  );
  if (names.length === 0)
    return (
      <EmptyState icon={<Tag />} title={text('noNames')} actions={add}>
        {text('noNamesHint')}
      </EmptyState>
    );
  const go = ({ refers_to }: Name): void => {
    const [, sheet, place = ''] = /^=(?:('(?:[^']|'')+'|[^'!]+)!)?([^!]+)$/.exec(refers_to) ?? [];
    const wanted = sheet?.replace(/^'|'$/g, '').replaceAll("''", "'");
    const tab = tabs.find((one) => one.name === wanted);
    const range = parseRange(place.replaceAll('$', ''));
    if (range) session.goTo(tab?.id ?? session.current.get(), range);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{text('namesHint')}</p>
      {add && <div>{add}</div>}
      <ul aria-label={text('names')} className="divide-y divide-line rounded-xl border border-line bg-raised">
        {names.map((one) => (
          <li key={`${one.sheet_id ?? ''} ${one.name}`} className="flex items-center gap-2 px-3 py-2">
            <button type="button" className="flex min-w-0 flex-1 flex-col rounded text-left" onClick={() => go(one)}>
              <span className="w-full truncate font-medium">
                {one.name}
                {one.sheet_id !== undefined && (
                  <span className="ml-2 text-sm font-normal text-faint">
                    {tabs.find(({ id }) => id === one.sheet_id)?.name}
                  </span>
                )}
              </span>
              <span className="w-full truncate font-mono text-xs text-faint">{one.refers_to}</span>
            </button>
            {session.mayWrite && (
              <>
                <IconButton
                  label={text('editName', { name: one.name })}
                  className="size-7"
                  onClick={() => setEdited(one)}
                >
                  <Pencil size={14} />
                </IconButton>
                <IconButton
                  label={text('deleteName', { name: one.name })}
                  className="size-7"
                  onClick={() =>
                    void session
                      .write('delete_object', {
                        object_type: 'name',
                        object_id: one.name,
                        ...(one.sheet_id === undefined ? {} : { sheet_id: one.sheet_id }),
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

function NameForm({ name, onDone }: { name: Name | undefined; onDone: () => void }): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tabs = useStore(session.tabs);
  const [called, setCalled] = useState(name?.name ?? '');
  const [refers, setRefers] = useState(() => name?.refers_to ?? fixed(session, session.selection.get().range));
  const [scope, setScope] = useState(name?.sheet_id ?? '');
  const save = async (): Promise<void> => {
    const where = scope === '' ? {} : { sheet_id: scope };
    await session.write('set_name', { name: called.trim(), refers_to: refers.trim(), ...where });
    onDone();
  };
  return (
    <form
      className="flex flex-col gap-3"
      aria-label={text('names')}
      onSubmit={(event) => {
        event.preventDefault();
        void save().catch(showErrorToast);
      }}
    >
      <Field label={text('nameOfRange')}>
        {(ids) => (
          <TextInput
            {...ids}
            autoFocus
            value={called}
            spellCheck={false}
            // Read-only, because another name would create a second entry.
            readOnly={name !== undefined}
            onChange={(event) => setCalled(event.target.value)}
          />
        )}
      </Field>
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
          <Select
            {...ids}
            value={scope}
            disabled={name !== undefined}
            onChange={(event) => setScope(event.target.value)}
          >
            <option value="">{text('wholeDocument')}</option>
            {tabs.map((tab) => (
              <option key={tab.id} value={tab.id}>
                {tab.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="flex gap-2">
        <Button variant="primary" type="submit" disabled={called.trim() === '' || refers.trim() === ''}>
          {text('saveName')}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {text('cancel')}
        </Button>
      </div>
    </form>
  );
}
