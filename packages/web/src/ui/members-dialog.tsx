import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { usersQuery } from '../features/account/account-queries.ts';
import { errorMessage } from '../lib/api-client.ts';
import { useCurrentUser } from '../shell/current-user.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field, Select, SelectField, TextInput, optionElements } from './form-fields.tsx';
import { SkeletonLines, queryPlaceholder } from './status-placeholders.tsx';
import { showErrorToast } from './toast.tsx';

export type Role = 'viewer' | 'editor' | 'owner';

export interface Member {
  readonly user_id: string;
  readonly name: string;
  readonly role: Role;
}

interface MembersProps<Given extends Role> {
  name: string;
  me: string | undefined;
  members: Pick<UseQueryResult<readonly Member[]>, 'data' | 'error' | 'isPending'>;
  roles: readonly Given[];
  /** Whether the user may change memberships at all. If so, `mayChange` decides about each member. */
  mayShare: boolean;
  mayChange: (member: Member) => boolean;
  add: (userName: string, role: Given) => Promise<void>;
  change: (userId: string, role: Given) => Promise<void>;
  remove: (userId: string) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}

/**
 * Returns user names to suggest for sharing. Only the owner of the installation may list users; for others the list
 * is empty.
 */
function useNames(members: readonly Member[], mayShare: boolean): readonly string[] {
  const isOwner = useCurrentUser()?.role === 'owner';
  const users = useQuery({ ...usersQuery, enabled: mayShare && isOwner });
  const known = new Set(members.map(({ user_id }) => user_id));
  return (users.data?.users ?? []).filter(({ user_id }) => !known.has(user_id)).map(({ name }) => name);
}

export function MembersDialog<Given extends Role>({
  name,
  me,
  members,
  roles,
  mayShare,
  mayChange,
  add,
  change,
  remove,
  onClose,
  children,
}: MembersProps<Given>): ReactNode {
  const text = useTranslation();
  const suggestions = useId();
  const names = useNames(members.data ?? [], mayShare);
  const [userName, setUserName] = useState('');
  const [role, setRole] = useState<Given>(roles[0] as Given);
  const [error, setError] = useState<string>();
  const submit = async (): Promise<void> => {
    try {
      await add(userName.trim(), role);
      setUserName('');
      setError(undefined);
    } catch (error) {
      setError(errorMessage(error));
    }
  };
  const options = roles.map((each) => [each, text(each)] as const);
  return (
    <Dialog title={text('shareBase', { name })} onClose={onClose} width="medium">
      {mayShare && (
        <form
          className="flex flex-wrap items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="min-w-40 flex-1">
            <Field label={text('userName')} error={error}>
              {(ids) => (
                <>
                  <TextInput
                    {...ids}
                    list={suggestions}
                    autoComplete="off"
                    value={userName}
                    onChange={(event) => setUserName(event.target.value)}
                  />
                  <datalist id={suggestions}>
                    {names.map((one) => (
                      <option key={one} value={one} />
                    ))}
                  </datalist>
                </>
              )}
            </Field>
          </div>
          <div className="w-32">
            <SelectField label={text('role')} value={role} options={options} onChange={setRole} />
          </div>
          <Button type="submit" variant="primary" className="mt-[1.7rem]" disabled={userName.trim() === ''}>
            {text('share')}
          </Button>
        </form>
      )}
      {queryPlaceholder(members, <SkeletonLines count={2} />) ?? (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('members')}>
          {members.data?.map((member) => (
            <li key={member.user_id} className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
              <span className="min-w-0 truncate">
                {member.name}
                {member.user_id === me && <span className="text-faint"> · {text('you')}</span>}
              </span>
              {mayChange(member) ? (
                <span className="flex items-center gap-1">
                  <Select
                    aria-label={text('roleOf', { name: member.name })}
                    className="w-28"
                    value={member.role}
                    onChange={(event) => change(member.user_id, event.target.value as Given).catch(showErrorToast)}
                  >
                    {optionElements(options)}
                  </Select>
                  <Button variant="quiet" onClick={() => remove(member.user_id).catch(showErrorToast)}>
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
      {children}
    </Dialog>
  );
}
