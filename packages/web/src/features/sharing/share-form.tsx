import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { groupsQuery, usersQuery } from '../account/account-queries.ts';
import { errorMessage } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Field, Select, SelectField, optionElements } from '../../ui/form-fields.tsx';
import type { Grantee, Role, Share } from './shares.ts';

interface ShareFormProps {
  options: readonly (readonly [Role, string])[];
  shares: readonly Share[];
  onShare: (grantee: Grantee, role: Role) => Promise<void>;
}

/**
 * Returns user names to suggest for sharing. The list is empty for normal users, because only the owner of the
 * installation may list users.
 */
function useNames(shares: readonly Share[]): readonly string[] {
  const me = useCurrentUser();
  const users = useQuery({ ...usersQuery, enabled: me?.role === 'owner' });
  const known = new Set([me?.user_id, ...shares.map(({ key }) => key)]);
  return (users.data?.users ?? [])
    .filter(({ user_id, state }) => !known.has(user_id) && state !== 'deleted')
    .map(({ name }) => name);
}

/** Form to share with a person by name, a group, or every signed-in user. */
export function ShareForm({ options, shares, onShare }: ShareFormProps): ReactNode {
  const text = useTranslation();
  const names = useNames(shares);
  const [kind, setKind] = useState<Share['kind']>('user');
  const groups = useQuery({ ...groupsQuery, enabled: kind === 'group' });
  const [userName, setUserName] = useState('');
  const [groupId, setGroupId] = useState('');
  const [role, setRole] = useState<Role>('read');
  const [error, setError] = useState<string>();
  const group = groups.data?.groups.find((one) => one.group_id === groupId) ?? groups.data?.groups[0];
  const grantee: Grantee | undefined =
    kind === 'everyone'
      ? { everyone: true }
      : kind === 'group'
        ? group && { group_id: group.group_id }
        : userName.trim() === ''
          ? undefined
          : { user_name: userName.trim() };
  const submit = async (): Promise<void> => {
    if (!grantee) return;
    try {
      await onShare(grantee, role);
      setUserName('');
      setError(undefined);
    } catch (error) {
      setError(errorMessage(error));
    }
  };
  const kinds = [
    ['user', text('person')],
    ['group', text('group')],
    ['everyone', text('everyoneSignedIn')],
  ] as const;
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={kind === 'everyone' ? 'w-52' : 'w-32'}>
        <SelectField
          label={text('shareWith')}
          value={kind}
          options={kinds}
          onChange={(chosen) => {
            setKind(chosen);
            setRole('read');
            setError(undefined);
          }}
        />
      </div>
      {kind !== 'everyone' && (
        <div className="min-w-32 flex-1">
          <Field
            label={text(kind === 'user' ? 'userName' : 'groupName')}
            error={error}
            hint={kind === 'group' && groups.data?.groups.length === 0 ? text('noGroupsToShare') : undefined}
          >
            {(ids) =>
              kind === 'user' ? (
                <ComboBox {...ids} value={userName} options={names} onChange={setUserName} />
              ) : (
                <Select {...ids} value={group?.group_id ?? ''} onChange={(event) => setGroupId(event.target.value)}>
                  {optionElements((groups.data?.groups ?? []).map((one) => [one.group_id, one.name] as const))}
                </Select>
              )
            }
          </Field>
        </div>
      )}
      <div className="w-34">
        <SelectField
          label={text('role')}
          value={role}
          // Only a person, not a group or everyone, can be an owner.
          options={kind === 'user' ? options : options.filter(([each]) => each !== 'own')}
          onChange={setRole}
        />
      </div>
      <Button type="submit" variant="primary" className="mt-[1.7rem]" disabled={!grantee}>
        {text('share')}
      </Button>
      {kind === 'everyone' && error !== undefined && (
        <p role="alert" className="w-full text-sm text-danger">
          {error}
        </p>
      )}
    </form>
  );
}
