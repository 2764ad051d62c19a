/**
 * Hashes passwords. Hashing is slow on purpose, but blocks neither the main thread nor the threads that write files.
 * Throws `Unavailable` when too many requests are queued.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}
