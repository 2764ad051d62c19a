/**
 * Who may do what, written a second time and in another way than the product: by asking of every grant whether it
 * reaches the user and the object, without any SQL, cache or index.
 */
export type Kind = 'note' | 'notebook' | 'base' | 'sheet';
export type Role = 'read' | 'comment' | 'write' | 'own';

export const kinds: readonly Kind[] = ['note', 'notebook', 'base', 'sheet'];
export const ranks: Record<Role, number> = { read: 1, comment: 2, write: 3, own: 4 };

export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly owner: string;
  /** A word that stands in nothing else: in the text of a note, an item or a cell. Notebooks have none. */
  readonly word: string;
  /** Titles so far, the latest last. Links write them into the texts of other notes. */
  readonly names: string[];
  /** Notebook around a note or notebook. */
  parent?: Thing | undefined;
  /** In the trash: it exists for its owner only. */
  isDeleted: boolean;
  /** Deleted for good. */
  isGone: boolean;
  /** Item of a base that holds its word. */
  readonly item?: string;
  isItemDeleted: boolean;
  /** Sub-sheet of a spreadsheet. */
  readonly sheetId?: string;
  /** Notes in which this note's title has been written as a link. */
  readonly mentionedBy: Set<Thing>;
  /** Items of a base that show notes, by media id. */
  readonly noteItems: Map<string, Thing>;
  /** What was said about a note: thread, entry and who said it. */
  readonly comments: { readonly id: string; readonly entry: string; readonly author: string }[];
  /** Open suggestions for a note. */
  readonly suggestions: string[];
  /** Users who follow it by request. */
  readonly followers: Set<string>;
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
  /** Users whose account is closed. What they wrote stays. */
  readonly closed = new Set<string>();
  grants: ModelGrant[] = [];
  readonly links: ModelLink[] = [];
  /** What agents noted, each for its user alone. */
  memories: { readonly id: string; readonly userId: string; readonly word: string }[] = [];

  role(user: string, thing: Thing): Role | undefined {
    if (thing.isGone || this.closed.has(user)) return undefined;
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

  /** Things that the user may read now, without those in the trash. */
  readable(user: string, kind?: Kind): Thing[] {
    return this.things.filter(
      (one) => (kind === undefined || one.kind === kind) && !one.isDeleted && this.may(user, one, 'read'),
    );
  }

  /** Whether the user may see the word in a thing: by reading the thing, or a base that shows the note. */
  mayKnowWord(user: string, thing: Thing): boolean {
    if (thing.kind === 'base' && thing.isItemDeleted && !this.may(user, thing, 'write')) return false;
    if (this.may(user, thing, 'read')) return true;
    return !thing.isDeleted && !thing.isGone && this.#basesWith(thing).some((base) => this.may(user, base, 'read'));
  }

  /** Whether the user may see the title of a thing: also by reading a note that links to it, or as an item's title. */
  mayKnowName(user: string, thing: Thing): boolean {
    return (
      this.may(user, thing, 'read') ||
      [...thing.mentionedBy].some((note) => this.mayKnowWord(user, note)) ||
      this.#basesWith(thing).some((base) => this.may(user, base, 'read'))
    );
  }

  #basesWith(thing: Thing): Thing[] {
    return this.things.filter((base) => [...base.noteItems.values()].includes(thing));
  }

  #reaches({ to }: ModelGrant, user: string): boolean {
    if (to === 'everyone') return true;
    return 'user' in to ? to.user === user : (this.groups.get(to.group)?.has(user) ?? false);
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

  dropGroup(group: string): void {
    this.groups.delete(group);
    this.grants = this.grants.filter(({ to }) => to === 'everyone' || !('group' in to) || to.group !== group);
  }

  closeUser(user: string): void {
    this.closed.add(user);
    for (const members of this.groups.values()) members.delete(user);
    this.grants = this.grants.filter(({ to }) => to === 'everyone' || !('user' in to) || to.user !== user);
    for (const link of this.links) if (link.thing.owner === user) link.isEnded = true;
    this.memories = this.memories.filter(({ userId }) => userId !== user);
  }

  /** Deletes a thing for good, with its grants and links. */
  drop(thing: Thing): void {
    thing.isGone = true;
    this.grants = this.grants.filter((grant) => grant.thing !== thing);
    for (const link of this.links) if (link.thing === thing) link.isEnded = true;
  }

  /** Returns whether a link shows a thing: itself, what is in the notebook now, or a note that is an item of the base. */
  shows(link: ModelLink, thing: Thing): boolean {
    const { thing: shown, isEnded } = link;
    if (isEnded || shown.isDeleted || shown.isGone || thing.isDeleted || thing.isGone) return false;
    return (covers(shown, thing) && !(shown.kind === 'base' && shown.isItemDeleted)) || isItemOf(shown, thing);
  }

  /** Returns whether a link shows the title of a thing, which may stand in a note that the link shows. */
  showsName(link: ModelLink, thing: Thing): boolean {
    const { thing: shown, isEnded } = link;
    if (isEnded || shown.isDeleted || shown.isGone) return false;
    return (
      (covers(shown, thing) && !thing.isDeleted) ||
      isItemOf(shown, thing) ||
      [...thing.mentionedBy].some((note) => this.shows(link, note))
    );
  }
}

function isItemOf(base: Thing, thing: Thing): boolean {
  return [...base.noteItems.values()].includes(thing);
}

/** Returns whether what is granted on one thing applies to the other: the same, or a notebook around it. */
export function covers(outer: Thing, thing: Thing): boolean {
  for (let at: Thing | undefined = thing; at; at = at.parent) if (at === outer) return true;
  return false;
}
