import { useQuery } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, optionElements } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { confirmAction, promptText } from '../../ui/prompt-dialog.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { groupsQuery, usersQuery } from './account-queries.ts';

type Group = Awaited<ReturnType<typeof sheaf.account.list_groups>>['groups'][number];

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });

/** Lists the groups of the installation. Groups can be created, and opened to edit their members. */
export function GroupsSection(): ReactNode {
  const text = useTranslation();
  const groups = useQuery(groupsQuery);
  const [opened, setOpened] = useState<string>();
  const shown = groups.data?.groups.find((one) => one.group_id === opened);
  const add = async (): Promise<void> => {
    const name = await promptText({ title: text('newGroup'), label: text('groupName'), action: text('add') });
    if (name === undefined) return;
    const { group } = await sheaf.account.create_group({ name });
    await refresh();
    setOpened(group.group_id);
  };
  return (
    <Section
      title={text('groups')}
      actions={
        <Button variant="primary" onClick={() => add().catch(showErrorToast)}>
          <Plus size={16} /> {text('newGroup')}
        </Button>
      }
    >
      {queryPlaceholder(groups, <SkeletonLines count={2} />) ??
        (groups.data?.groups.length === 0 ? (
          <EmptyState icon={<Users />} title={text('noGroups')}>
            {text('noGroupsHint')}
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('groups')}>
            {groups.data?.groups.map((group) => (
              <li key={group.group_id}>
                <button
                  type="button"
                  onClick={() => setOpened(group.group_id)}
                  className="flex min-h-14 w-full items-center justify-between gap-3 px-4 py-2 text-left hover:bg-hover"
                >
                  <span className="min-w-0 truncate font-medium">{group.name}</span>
                  <span className="shrink-0 text-sm text-soft">
                    {text('memberCount', { count: group.member_count })}
                    {group.claim !== '' && ` · ${text('claimGroup', { claim: group.claim })}`}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ))}
      {shown && <GroupDialog group={shown} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const { group_id, name, claim } = group;
  const queryKey = ['group-members', group_id];
  const members = useQuery({ queryKey, queryFn: () => sheaf.account.list_group_members({ group_id }), staleTime: 0 });
  const users = useQuery({ ...usersQuery, enabled: claim === '' });
  const known = new Set(members.data?.members.map((one) => one.user_id));
  const others = (users.data?.users ?? []).filter((user) => user.state !== 'deleted' && !known.has(user.user_id));
  const [picked, setPicked] = useState('');
  const chosen = others.find((user) => user.user_id === picked) ?? others[0];
  const change = async (by: 'add_group_members' | 'remove_group_members', user_id: string): Promise<void> => {
    await sheaf.account[by]({ group_id, user_ids: [user_id] });
    await Promise.all([queryClient.invalidateQueries({ queryKey }), refresh()]);
  };
  const remove = async (): Promise<void> => {
    const title = text('deleteGroup');
    const explanation = text('deleteGroupHint', { name });
    if (!(await confirmAction({ title, explanation, action: title, danger: true }))) return;
    await sheaf.account.delete_group({ group_id });
    onClose();
    await refresh();
  };
  return (
    <Dialog title={text('groupMembers', { name })} onClose={onClose} width="medium">
      {claim === '' ? (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen) change('add_group_members', chosen.user_id).catch(showErrorToast);
          }}
        >
          <div className="flex-1">
            <Field label={text('addMember')}>
              {(ids) => (
                <Select {...ids} value={chosen?.user_id ?? ''} onChange={(event) => setPicked(event.target.value)}>
                  {optionElements(others.map((user) => [user.user_id, user.name] as const))}
                </Select>
              )}
            </Field>
          </div>
          <Button type="submit" variant="primary" disabled={!chosen}>
            {text('add')}
          </Button>
        </form>
      ) : (
        <p className="text-soft">{text('claimGroupHint')}</p>
      )}
      {queryPlaceholder(members, <SkeletonLines count={2} />) ??
        (members.data?.members.length === 0 ? (
          <p className="text-sm text-faint">{text('noMembers')}</p>
        ) : (
          <ul
            className="divide-y divide-line rounded-xl border border-line bg-raised"
            aria-label={text('groupMembers', { name })}
          >
            {members.data?.members.map((member) => (
              <li key={member.user_id} className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
                <span className="min-w-0 truncate">{member.name}</span>
                {claim === '' && (
                  <Button
                    variant="quiet"
                    aria-label={text('removeAccessOf', { name: member.name })}
                    onClick={() => change('remove_group_members', member.user_id).catch(showErrorToast)}
                  >
                    {text('remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        ))}
      <div className="flex">
        <Button variant="danger" onClick={() => remove().catch(showErrorToast)}>
          {text('deleteGroup')}
        </Button>
      </div>
    </Dialog>
  );
}
