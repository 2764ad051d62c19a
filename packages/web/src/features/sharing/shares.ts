import { sheaf } from '../../lib/api-client.ts';

export type SharedKind = 'note' | 'notebook' | 'base' | 'sheet';
export type Role = 'read' | 'comment' | 'write' | 'own';

export interface Resource {
  readonly kind: SharedKind;
  readonly id: string;
}

/** The user, group or "everyone" that gets access by a share, in the format of the server's sharing operations. */
export type Grantee = { user_id: string } | { user_name: string } | { group_id: string } | { everyone: true };

export interface Share {
  readonly key: string;
  readonly kind: 'user' | 'group' | 'everyone';
  readonly grantee: Grantee;
  readonly name: string;
  readonly role: Role;
}

/**
 * Returns the query for the shares of a note, notebook, knowledge base or spreadsheet. A share gives a user, a group or
 * everyone access with a role. Only owners may list shares; other members of a knowledge base get the list of its
 * members instead.
 */
export function sharesQuery(kind: SharedKind, id: string, isOwner: boolean) {
  return {
    queryKey: ['shares', kind, id],
    queryFn: () => (isOwner ? listShares({ kind, id }) : listMembers(id)),
    staleTime: 0,
  };
}

async function listShares(resource: Resource): Promise<Share[]> {
  const { shares } = await sheaf.sharing.list_shares(resource);
  return shares.map(({ with: kind, user_id, group_id, name, role }) => ({
    key: user_id ?? group_id ?? 'everyone',
    kind,
    grantee: user_id !== undefined ? { user_id } : group_id !== undefined ? { group_id } : { everyone: true },
    name,
    role,
  }));
}

const memberRoles = { viewer: 'read', editor: 'write', owner: 'own' } as const;

async function listMembers(knowledge_base_id: string): Promise<Share[]> {
  const { members } = await sheaf.wiki.list_members({ knowledge_base_id });
  return members.map(({ user_id, name, role }) => ({
    key: user_id,
    kind: 'user',
    grantee: { user_id },
    name,
    role: memberRoles[role],
  }));
}

/**
 * Grants a role to a user, a group or everyone. An additional owner of a knowledge base is added as a member, because
 * shares cannot grant ownership.
 */
export async function shareWith(resource: Resource, grantee: Grantee, role: Role): Promise<void> {
  if (role !== 'own') await sheaf.sharing.share({ ...resource, ...grantee, role });
  else if ('user_id' in grantee || 'user_name' in grantee)
    await sheaf.wiki.set_member({ knowledge_base_id: resource.id, ...grantee, role: 'owner' });
}

export async function stopSharing(resource: Resource, grantee: Grantee): Promise<void> {
  await sheaf.sharing.unshare({ ...resource, ...grantee });
}
