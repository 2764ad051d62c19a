import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** A text that an agent stored for later. */
export interface Memory {
  id: string;
  userId: string;
  /** App or API key that stored the memory, and the name that it had at that time. */
  appId: string;
  appName: string;
  text: string;
  /** Subject of the memory, such as a person or a project; '' if the agent gave none. */
  about: string;
  createdAt: number;
}

export const maxMemories = 500;
/** Bytes charged to the quota for each memory of an agent, in addition to its texts. */
export const memoryBytes = 256;

/** Thrown when the store refuses a write; nothing was written. */
export class MemoryRefused extends RefusalError<
  | { reason: 'too_many'; count: number; limit: number }
  | { reason: 'no_space'; bytes: number; used: number; quota: number }
> {}

/**
 * Stores the memories of agents: texts that an app or API key of a user keeps for later. A memory belongs to one user
 * and one app. With an `appId`, `list` and `erase` are limited to this app's memories; without it, they include the
 * memories of all apps of the user.
 */
export interface MemoryStore {
  /**
   * Adds a memory and charges its bytes to the user. Throws MemoryRefused if the app already has the maximum number of
   * memories for this user, or if the quota would be exceeded.
   */
  add(stamp: Stamp, memory: Memory, limits: { quotaBytes: number }): Promise<void>;
  /**
   * Lists the user's memories, newest first: those of one app, or of all apps if `appId` is not given. With `before`,
   * lists only memories older than the one with this id.
   */
  list(
    userId: string,
    filter: { appId?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<Memory[]>;
  /**
   * Deletes the user's memories: of one app, or of all apps if `appId` is not given. With `ids`, deletes only those
   * with these ids. Returns the number of deleted memories.
   */
  erase(
    stamp: Stamp,
    userId: string,
    filter: { appId?: string | undefined; ids?: readonly string[] | undefined },
  ): Promise<number>;
}
