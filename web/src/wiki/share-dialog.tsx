import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { messageOf, queries, sheaf } from '../lib/client.ts';
import { useMe } from '../shell/me.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { Failed, Lines } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { refreshBase, type BaseInfo } from './queries.ts';

type Role = BaseInfo['role_type'];
const roles: readonly Role[] = ['viewer', 'editor', 'owner'];

export function ShareDialog({ base, onClose }: { base: BaseInfo; onClose: () => void }): ReactNode {
  const text = useText();
  const me = useMe();
  const isOwner = base.role_type === 'owner';
  const members = useQuery({ queryKey: ['members', base.id], queryFn: () => sheaf.wiki.list_members({ knowledge_base_id: base.id }) });
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [error, setError] = useState<string>();
  const refresh = async (): Promise<void> => {
    await Promise.all([queries.invalidateQueries({ queryKey: ['members', base.id] }), refreshBase(base.id)]);
  };
  const add = async (): Promise<void> => {
    try {
      await sheaf.wiki.set_member({ knowledge_base_id: base.id, user_name: name.trim(), role });
      setName('');
      setError(undefined);
      await refresh();
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  const change = async (userId: string, to: Role): Promise<void> => {
    await sheaf.wiki.set_member({ knowledge_base_id: base.id, user_id: userId, role: to });
    await refresh();
  };
  const remove = async (userId: string): Promise<void> => {
    await sheaf.wiki.remove_member({ knowledge_base_id: base.id, user_id: userId });
    await refresh();
  };
  return (
    <Dialog title={text('shareBase', { name: base.name })} onClose={onClose} width="medium">
      {isOwner && (
        <form
          className="flex flex-wrap items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <div className="min-w-40 flex-1">
            <Field label={text('userName')} error={error}>
              {(ids) => <TextInput {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
            </Field>
          </div>
          <div className="w-32">
            <Field label={text('role')}>
              {(ids) => (
                <Select {...ids} value={role} onChange={(event) => setRole(event.target.value as Role)}>
                  {roles.map((each) => (
                    <option key={each} value={each}>
                      {text(each)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <Button type="submit" look="primary" className="mt-[1.7rem]" disabled={name.trim() === ''}>
            {text('share')}
          </Button>
        </form>
      )}
      {members.isPending ? (
        <Lines count={2} />
      ) : members.error ? (
        <Failed error={members.error} />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('members')}>
          {members.data.members.map((member) => (
            <li key={member.user_id} className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
              <span className="min-w-0 truncate">
                {member.name}
                {member.user_id === me?.user_id && <span className="text-faint"> · {text('you')}</span>}
              </span>
              {isOwner && member.user_id !== me?.user_id ? (
                <span className="flex items-center gap-1">
                  <Select aria-label={text('roleOf', { name: member.name })} className="w-28" value={member.role} onChange={(event) => change(member.user_id, event.target.value as Role).catch(sayError)}>
                    {roles.map((each) => (
                      <option key={each} value={each}>
                        {text(each)}
                      </option>
                    ))}
                  </Select>
                  <Button look="quiet" onClick={() => remove(member.user_id).catch(sayError)}>
                    {text('remove')}
                  </Button>
                </span>
              ) : (
                <span className="text-soft">{text(member.role)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
