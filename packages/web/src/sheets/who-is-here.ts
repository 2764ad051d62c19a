import { sheaf } from '../lib/client.ts';
import { Store } from '../ui/store.ts';
import { rangeName, rangeNamed, type CellRange } from './geometry.ts';
import type { Revision } from './revision.ts';
import type { SheetSession } from './session.ts';

/** As events tell it: see `announce`. */
export interface Told {
  readonly client: string;
  readonly user_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly is_agent: boolean;
  /** `<sheet_id>$A1:B2` */
  readonly place: string;
  readonly left: boolean;
}

/** Somebody else who has the document open, or an agent that wrote to it just now. */
export interface Present {
  readonly id: string;
  /** The person, or the key of an agent: the same color everywhere. */
  readonly who: string;
  readonly name: string;
  readonly isAgent: boolean;
  readonly sheetId: string;
  readonly range: CellRange | undefined;
  /** The call that an agent made. */
  readonly tool: string | undefined;
  readonly until: number;
}

const beatMs = 15_000;
const goneMs = 40_000;
const agentMs = 60_000;
const movedMs = 200;

/** Whether a key or an app was used, rather than the page. */
export function isAgentKey(keyId: string): boolean {
  return keyId !== '' && !keyId.startsWith('session_');
}

/** What the color of somebody follows from. */
export function whoOf({ userId, keyId }: Pick<Revision, 'userId' | 'keyId'>): string {
  return isAgentKey(keyId) ? keyId : userId;
}

/** Places as events tell them: `<sheet_id>$A1:B2`. */
function placeOf(place: string): Pick<Present, 'sheetId' | 'range'> {
  const cut = place.lastIndexOf('$');
  return cut < 0
    ? { sheetId: '', range: undefined }
    : { sheetId: place.slice(0, cut), range: rangeNamed(place.slice(cut + 1)) };
}

/**
 * Who else is here. Nobody keeps a list: each page says where it is, now and then and when somebody comes, and forgets who has
 * said nothing for a while.
 */
export class WhoIsHere {
  readonly others = new Store<readonly Present[]>([]);
  readonly #session: SheetSession;
  readonly #client = crypto.randomUUID().slice(0, 8);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saidAt = 0;

  constructor(session: SheetSession) {
    this.#session = session;
  }

  start(): () => void {
    const { selection, current } = this.#session;
    // Only who is seen by somebody tells of each step.
    const moved = (): void => {
      if (this.others.get().some(({ isAgent }) => !isAgent)) this.#saySoon(movedMs);
    };
    const stops = [
      selection.subscribe(moved),
      current.subscribe(moved),
      this.#session.onRevision((revision) => this.#revised(revision)),
    ];
    const leave = (): void => this.#say(true);
    const shown = (): void => {
      if (document.visibilityState === 'visible') this.#saySoon(0);
    };
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', shown);
    const beat = setInterval(() => {
      this.#forgetSilent();
      if (document.visibilityState === 'visible') this.#say();
    }, beatMs);
    this.#saySoon(0);
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', shown);
      clearInterval(beat);
      clearTimeout(this.#timer);
      leave();
    };
  }

  hear(told: Told): void {
    if (told.client.endsWith(` ${this.#client}`)) return;
    if (told.left) {
      this.#set(told.client, undefined);
      return;
    }
    const isNew = !this.others.get().some(({ id }) => id === told.client);
    this.#set(told.client, {
      id: told.client,
      who: told.is_agent ? told.key_id : told.user_id,
      name: this.#session.nameOf({ userId: told.user_id, keyId: told.key_id }) || told.name,
      isAgent: told.is_agent,
      ...placeOf(told.place),
      tool: undefined,
      until: Date.now() + goneMs,
    });
    // Who comes has not heard of us yet.
    if (isNew) this.#saySoon(movedMs * (1 + Math.random()));
  }

  /** Agents have nothing open: that they wrote shows them. */
  #revised(revision: Revision): void {
    if (revision.own || !isAgentKey(revision.keyId)) return;
    const id = `${revision.keyId} `;
    void this.#session.nameSoon(revision).then((name) =>
      this.#set(id, {
        id,
        who: revision.keyId,
        name,
        isAgent: true,
        ...placeOf(revision.range ?? ''),
        tool: revision.tool,
        until: Date.now() + agentMs,
      }),
    );
  }

  #set(id: string, one: Present | undefined): void {
    const kept = this.others.get().filter((other) => other.id !== id);
    if (one || kept.length !== this.others.get().length) this.others.set(one ? [...kept, one] : kept);
  }

  #forgetSilent(): void {
    const kept = this.others.get().filter(({ until }) => until > Date.now());
    if (kept.length !== this.others.get().length) this.others.set(kept);
  }

  /** However often it is asked for, no more than five times a second. */
  #saySoon(ms: number): void {
    this.#timer ??= setTimeout(() => this.#say(), Math.max(ms, this.#saidAt + movedMs - Date.now()));
  }

  #say(left = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saidAt = Date.now();
    const { fileId, current, selection } = this.#session;
    sheaf.manage
      .announce({
        file_id: fileId,
        place: `${current.get()}$${rangeName(selection.get().range)}`,
        client: this.#client,
        left,
      })
      .catch((error: unknown) => console.info('who is here', error));
  }
}
