import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { messageOf, queries, sheaf } from '../../lib/client.ts';
import { useMe } from '../../shell/me.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { Failed, Lines } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';

type Role = 'viewer' | 'editor';
const roles: readonly Role[] = ['viewer', 'editor'];

export function ShareDocument({ fileId, title, onClose }: { fileId: string; title: string; onClose: () => void }): ReactNode {
  const text = useText();
  const me = useMe();
  const queryKey = ['sheet-members', fileId];
  const info = useQuery({ queryKey, queryFn: () => sheaf.manage.query_file_info({ file_id: fileId }), staleTime: 0 });
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [error, setError] = useState<string>();
  const isOwner = info.data?.file.role === 'owner';
  const share = async (who: { user_id: string } | { user_name: string }, as: Role | 'none'): Promise<void> => {
    await sheaf.manage.share_file({ file_id: fileId, ...who, role: as });
    await queries.invalidateQueries({ queryKey });
  };
  const add = async (): Promise<void> => {
    try {
      await share({ user_name: name.trim() }, role);
      setName('');
      setError(undefined);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <Dialog title={text('shareBase', { name: title })} onClose={onClose} width="medium">
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
      {info.isPending ? (
        <Lines count={2} />
      ) : info.error ? (
        <Failed error={info.error} />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('members')}>
          {info.data.members.map((member) => (
            <li key={member.user_id} className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
              <span className="min-w-0 truncate">
                {member.name}
                {member.user_id === me?.user_id && <span className="text-faint"> · {text('you')}</span>}
              </span>
              {isOwner && member.role !== 'owner' ? (
                <span className="flex items-center gap-1">
                  <Select aria-label={text('roleOf', { name: member.name })} className="w-28" value={member.role} onChange={(event) => share({ user_id: member.user_id }, event.target.value as Role).catch(sayError)}>
                    {roles.map((each) => (
                      <option key={each} value={each}>
                        {text(each)}
                      </option>
                    ))}
                  </Select>
                  <Button look="quiet" onClick={() => share({ user_id: member.user_id }, 'none').catch(sayError)}>
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
