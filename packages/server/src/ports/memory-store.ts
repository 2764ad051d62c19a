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
 * Stores the memories of agents. A memory belongs to one user and one app. With an app, `list` returns only memories of
 * that app and user.
 */
export interface MemoryStore {
  /**
   * Adds a memory and charges its bytes to the user. Throws MemoryRefused if the user has too many memories or would
   * exceed the quota.
   */
  add(stamp: Stamp, memory: Memory, limits: { quotaBytes: number }): Promise<void>;
  /** Lists the memories of one app, or of all apps, newest first. */
  list(
    userId: string,
    filter: { appId?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<Memory[]>;
  /**
   * Deletes memories of one app or of all apps: those with the given ids, or all if no ids are given. Returns their
   * number.
   */
  erase(
    stamp: Stamp,
    userId: string,
    filter: { appId?: string | undefined; ids?: readonly string[] | undefined },
  ): Promise<number>;
}
