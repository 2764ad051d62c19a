/**
 * Hashes of passwords. Guarantees: slow on purpose, and yet in nobody's way: neither the main thread nor the threads that
 * write files wait for one. Throws `Unavailable` when too many wait already.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  matches(stored: string, password: string): Promise<boolean>;
}
