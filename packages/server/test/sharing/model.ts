/**
 * Who may do what, written a second time and in another way than the product: by asking of every grant whether it
 * reaches the user and the object, without any SQL, cache or index.
 */
export type Kind = 'note' | 'notebook' | 'base' | 'sheet';
export type Role = 'read' | 'comment' | 'write' | 'own';

export const ranks: Record<Role, number> = { read: 1, comment: 2, write: 3, own: 4 };

export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly owner: string;
  /** A word that stands in nothing else. */
  readonly word: string;
  /** Notebook around a note or notebook. */
  parent?: Thing | undefined;
  isDeleted: boolean;
  /** Item of a base that holds its word. */
  readonly item?: string;
}

export interface ModelGrant {
  readonly thing: Thing;
  readonly to: { user: string } | { group: string } | 'everyone';
  role: Exclude<Role, 'own'>;
}

export interface ModelLink {
  readonly thing: Thing;
  readonly id: string;
  readonly secret: string;
  isEnded: boolean;
}

export class Model {
  readonly things: Thing[] = [];
  readonly groups = new Map<string, Set<string>>();
  grants: ModelGrant[] = [];
  readonly links: ModelLink[] = [];

  role(user: string, thing: Thing): Role | undefined {
    if (thing.owner === user) return 'own';
    if (thing.isDeleted) return undefined;
    let best: Role | undefined;
    for (const grant of this.grants)
      if (this.#reaches(grant, user) && covers(grant.thing, thing) && ranks[grant.role] > (best ? ranks[best] : 0))
        best = grant.role;
    return best;
  }

  may(user: string, thing: Thing, need: Role): boolean {
    const role = this.role(user, thing);
    return role !== undefined && ranks[role] >= ranks[need];
  }

  #reaches({ to }: ModelGrant, user: string): boolean {
    if (to === 'everyone') return true;
    return 'user' in to ? to.user === user : this.groups.get(to.group)!.has(user);
  }

  setGrant(grant: ModelGrant): void {
    this.dropGrant(grant);
    this.grants.push(grant);
  }

  dropGrant({ thing, to }: Pick<ModelGrant, 'thing' | 'to'>): boolean {
    const before = this.grants.length;
    this.grants = this.grants.filter((one) => one.thing !== thing || JSON.stringify(one.to) !== JSON.stringify(to));
    return this.grants.length < before;
  }

  /** Returns whether a link shows a thing: itself, or what is in the notebook now. */
  shows({ thing: shown, isEnded }: ModelLink, thing: Thing): boolean {
    return !isEnded && !shown.isDeleted && !thing.isDeleted && covers(shown, thing);
  }
}

/** Returns whether what is granted on one thing applies to the other: the same, or a notebook around it. */
export function covers(outer: Thing, thing: Thing): boolean {
  for (let at: Thing | undefined = thing; at; at = at.parent) if (at === outer) return true;
  return false;
}
