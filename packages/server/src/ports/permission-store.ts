import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

export const resourceKinds = ['note', 'notebook', 'base', 'sheet'] as const;
/** A kind of object that can be shared. */
export type ResourceKind = (typeof resourceKinds)[number];

/**
 * Modules whose operations use each kind of object. An API key needs access to one of them to use objects of that kind.
 */
export const modulesOfKinds: Readonly<Record<ResourceKind, readonly string[]>> = {
  note: ['note'],
  notebook: ['note'],
  base: ['wiki'],
  sheet: ['sheet', 'manage'],
};

/** Roles in ascending order; each includes the ones before it. */
export const accessRoles = ['read', 'comment', 'write', 'own'] as const;
export type AccessRole = (typeof accessRoles)[number];
/** A role that can be granted. */
export type GrantedRole = Exclude<AccessRole, 'own'>;

export function includesRole(role: AccessRole | undefined, need: AccessRole): boolean {
  return role !== undefined && accessRoles.indexOf(role) >= accessRoles.indexOf(need);
}

export type Grantee = { kind: 'user'; id: string } | { kind: 'group'; id: string } | { kind: 'everyone' };

export interface Grant {
  grantee: Grantee;
  /** Name of the user or group; '' for everyone. */
  name: string;
  role: AccessRole;
}

export interface Resource {
  kind: ResourceKind;
  id: string;
}

/** An object that belongs to another user and is shared with the user who asks. */
export interface SharedResource extends Resource {
  role: AccessRole;
  title: string;
  ownerId: string;
  modifiedAt: number;
}

export type SharingRefusal =
  | { reason: 'no_resource' | 'no_group'; id: string }
  | { reason: 'too_many_grants' | 'too_many_groups' | 'too_many_members'; count: number; limit: number }
  | { reason: 'group_exists'; name: string }
  | { reason: 'claim_bound'; claim: string }
  /** Refused because the identity provider decides the members of this group. */
  | { reason: 'provider_group'; id: string };

/** Thrown when the store refuses a write; nothing was written. */
export class SharingRefused extends RefusalError<SharingRefusal> {}

export const maxGrants = 500;
export const maxGroups = 1000;
export const maxGroupMembers = 10_000;

/**
 * Determines users' roles on notes, notebooks, knowledge bases and spreadsheets. The role is the highest one from
 * ownership and from grants to the user, to the user's groups and to everyone. A grant on a notebook also applies to
 * the notes and sub-notebooks that are currently in it. An object in the trash is not visible to users with whom it is
 * shared. When the promise of a write that revokes access resolves, the revocation is effective on all nodes.
 */
export interface PermissionStore {
  role(kind: ResourceKind, id: string, userId: string): Promise<AccessRole | undefined>;
  /** Returns the user's roles by object id. Objects that the user may not see are left out. */
  roles(kind: ResourceKind, ids: readonly string[], userId: string): Promise<Map<string, AccessRole>>;
  /** Returns the ids of other users' notes that the user may read by a grant on the note or on a notebook around it. */
  notesSharedWith(userId: string): Promise<string[]>;
  /** Returns the ids of those given notes that are shared, by a grant on the note or on a notebook around it. */
  sharedNotes(noteIds: readonly string[]): Promise<Set<string>>;
  /**
   * Lists the ids of all notes that are shared by a grant on the note or on a notebook around it. Used for rebuilding
   * the search index.
   */
  allSharedNotes(): AsyncIterable<string>;
  /**
   * Queues the second search index entry of those given notes that are shared. The users with whom a note is shared
   * find it by that entry. Called when changed notes are indexed.
   */
  queueSharedNotes(noteIds: readonly string[]): Promise<void>;

  /** Lists a page of other users' objects that the user can open, the most recently modified first. */
  sharedWith(
    userId: string,
    filter: {
      kinds: readonly ResourceKind[];
      /** If set, only notes that are directly in this notebook are listed. */
      notebookId?: string | undefined;
      after?: { value: number; id: string } | undefined;
      limit: number;
    },
  ): Promise<SharedResource[]>;
  /** Lists the grants on an object: to users first, then to groups, then to everyone. The owner is not listed. */
  grants(kind: ResourceKind, id: string): Promise<Grant[]>;
  /**
   * Grants a role, replacing an earlier role of the same grantee. Throws SharingRefused if the store refuses the grant.
   */
  grant(stamp: Stamp, resource: Resource, grantee: Grantee, role: GrantedRole): Promise<void>;
  /** Withdraws a grant. Returns whether the grant existed. */
  revoke(stamp: Stamp, resource: Resource, grantee: Grantee): Promise<boolean>;

  /** Calls the listener after every write of this process that may change access. */
  onChange(listener: () => void): void;
}

export interface Group {
  id: string;
  name: string;
  /**
   * Identity provider (issuer) whose groups claim decides who is a member; '' for a group whose members are added
   * manually.
   */
  issuer: string;
  /**
   * Value that the identity provider's groups claim must contain for a user to be a member; '' for a group whose
   * members are added manually.
   */
  claim: string;
  memberCount: number;
  createdAt: number;
}

/**
 * Stores groups of users. When a member is removed, the member's access through the group ends with the next request on
 * any node.
 */
export interface GroupStore {
  createGroup(stamp: Stamp, group: Omit<Group, 'memberCount' | 'createdAt'>): Promise<Group>;
  /** Deletes a group and all grants to it. Returns whether the group existed. */
  deleteGroup(stamp: Stamp, id: string): Promise<boolean>;
  group(id: string): Promise<Group | undefined>;
  groupByName(name: string): Promise<Group | undefined>;
  groups(): Promise<Group[]>;
  groupsOf(userId: string): Promise<Group[]>;
  members(groupId: string): Promise<{ userId: string; name: string; addedAt: number }[]>;
  /** Adds users to a group whose members are added manually. Returns how many of them were not yet members. */
  addMembers(stamp: Stamp, groupId: string, userIds: readonly string[]): Promise<number>;
  removeMembers(stamp: Stamp, groupId: string, userIds: readonly string[]): Promise<number>;
  /**
   * Called when a user signs in through an identity provider (`issuer`). Of the groups that are bound to this provider,
   * makes the user a member of exactly those whose claim value is in `claims`.
   */
  setProviderGroups(stamp: Stamp, userId: string, issuer: string, claims: readonly string[]): Promise<void>;
}
