import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

/** What an agent noted for later. */
export interface Memory {
  id: string;
  userId: string;
  /** App or API key that noted it, and its name at that time. */
  appId: string;
  appName: string;
  text: string;
  /** What it is about, such as a person or a project; '' if the agent did not say. */
  about: string;
  createdAt: number;
}

export const maxMemories = 500;
/** Bytes charged for a memory besides its texts. */
export const memoryBytes = 256;

/** Thrown when the store refuses a write; nothing was written. */
export class MemoryRefused extends RefusalError<
  | { reason: 'too_many'; count: number; limit: number }
  | { reason: 'no_space'; bytes: number; used: number; quota: number }
> {}

/**
 * Stores what agents note for later. A memory belongs to one user and one app. Guarantee: `list` with an app returns
 * memories of that app and user only.
 */
export interface MemoryStore {
  /** Adds a memory and charges its bytes to the user. Throws MemoryRefused. */
  add(stamp: Stamp, memory: Memory, limits: { quotaBytes: number }): Promise<void>;
  /** Lists the newest memories first: those of one app, or of all apps. */
  list(
    userId: string,
    filter: { appId?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<Memory[]>;
  /** Deletes memories by their ids or, without ids, all; of one app, or of all apps. Returns how many. */
  erase(
    stamp: Stamp,
    userId: string,
    filter: { appId?: string | undefined; ids?: readonly string[] | undefined },
  ): Promise<number>;
}
