import { sheaf } from '../../lib/api-client.ts';
import { Store } from '../../ui/store.ts';
import { rangeName, parseSheetRange, type CellRange } from './cell-geometry.ts';
import type { Revision } from './revision.ts';
import type { SheetSession } from './sheet-session.ts';

/** Event that tells the other users of a document which cells a user has selected, or that the user has left. */
export interface PresenceEvent {
  readonly client: string;
  readonly user_id: string;
  readonly key_id: string;
  readonly name: string;
  readonly is_agent: boolean;
  /** The client's selection: the sheet id, `$` and the range, as in `<sheet_id>$A1:B2`. */
  readonly place: string;
  readonly left: boolean;
}

/** Another user who has the document open, or an agent (a program that uses the API) that changed it recently. */
export interface Participant {
  readonly id: string;
  /** User id, or the API key id of an agent. Determines the color. */
  readonly who: string;
  readonly name: string;
  readonly isAgent: boolean;
  readonly sheetId: string;
  readonly range: CellRange | undefined;
  /** The last tool that an agent called; undefined for users. */
  readonly tool: string | undefined;
  readonly until: number;
}

const heartbeatMs = 15_000;
/**
 * Interval in milliseconds at which this browser tab reports its user's presence while nobody else has the document
 * open. New participants announce themselves, so these reports only make up for lost announcements.
 */
const aloneHeartbeatMs = 600_000;
const timeoutMs = 40_000;
const agentMs = 60_000;
const minAnnounceMs = 200;

/** Returns whether a write was made with an API key or by a connected app, not by a user in the browser. */
export function isAgentKey(keyId: string): boolean {
  return keyId !== '' && !keyId.startsWith('session_');
}

/** Returns the id that determines the author's color: the API key of an agent, otherwise the user. */
export function colorIdOf({ userId, keyId }: Pick<Revision, 'userId' | 'keyId'>): string {
  return isAgentKey(keyId) ? keyId : userId;
}

const nowhere = { sheetId: '', range: undefined };

/**
 * Tracks who else has the document open. The server stores no list of these participants: each client sends its
 * selected cells to the other clients at intervals and when somebody new arrives. Participants that send nothing for a
 * while are removed.
 */
export class PresenceTracker {
  readonly others = new Store<readonly Participant[]>([]);
  readonly #session: SheetSession;
  readonly #client = crypto.randomUUID().slice(0, 8);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saidAt = 0;

  constructor(session: SheetSession) {
    this.#session = session;
  }

  start(): () => void {
    const { selection, current } = this.#session;
    // Announce selection changes only if another user has the document open.
    const hasOthers = (): boolean => this.others.get().some(({ isAgent }) => !isAgent);
    const moved = (): void => {
      if (hasOthers()) this.#saySoon(minAnnounceMs);
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
      const isDue = hasOthers() || Date.now() - this.#saidAt >= aloneHeartbeatMs;
      if (isDue && document.visibilityState === 'visible') this.#say();
    }, heartbeatMs);
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

  receive(told: PresenceEvent): void {
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
      ...(parseSheetRange(told.place) ?? nowhere),
      tool: undefined,
      until: Date.now() + timeoutMs,
    });
    // Announce this client to the new participant, after a random delay, so that the clients do not all send at the
    // same time.
    if (isNew) this.#saySoon(minAnnounceMs * (1 + Math.random()));
  }

  /** Shows an agent as present after a write, because agents do not open documents. */
  #revised(revision: Revision): void {
    if (revision.own || !isAgentKey(revision.keyId)) return;
    const id = `${revision.keyId} `;
    void this.#session.fetchName(revision).then((name) =>
      this.#set(id, {
        id,
        who: revision.keyId,
        name,
        isAgent: true,
        ...(parseSheetRange(revision.range ?? '') ?? nowhere),
        tool: revision.tool,
        until: Date.now() + agentMs,
      }),
    );
  }

  #set(id: string, one: Participant | undefined): void {
    const kept = this.others.get().filter((other) => other.id !== id);
    if (one || kept.length !== this.others.get().length) this.others.set(one ? [...kept, one] : kept);
  }

  #forgetSilent(): void {
    const kept = this.others.get().filter(({ until }) => until > Date.now());
    if (kept.length !== this.others.get().length) this.others.set(kept);
  }

  /**
   * Schedules a message in `ms` milliseconds that tells the other clients which cells this user has selected. At most
   * five messages per second are sent.
   */
  #saySoon(ms: number): void {
    this.#timer ??= setTimeout(() => this.#say(), Math.max(ms, this.#saidAt + minAnnounceMs - Date.now()));
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
