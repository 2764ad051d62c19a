/** Generates zip archives of knowledge bases while they are downloaded, without storing them. */
export interface ZipArchiveGenerator {
  /**
   * Generates the archive of the knowledge base in the key. Returns undefined if the key is not an archive key, or if
   * the user in the key is not active or may not read the knowledge base. Generation stops when the reader stops.
   */
  open(key: string): Promise<AsyncIterable<Buffer> | undefined>;
}

const shape = /^exports\/([A-Za-z0-9_-]{1,80})\/([A-Za-z0-9_-]{1,80})\.zip$/;

/**
 * Returns the key that identifies a knowledge base's archive in a download link. The key contains the id of the user
 * who requested the archive.
 */
export function archiveKey(userId: string, baseId: string): string {
  return `exports/${userId}/${baseId}.zip`;
}

/** Returns the user and the knowledge base in an archive key, or undefined if the key is not an archive key. */
export function parseArchiveKey(key: string): { userId: string; baseId: string } | undefined {
  const [, userId, baseId] = shape.exec(key) ?? [];
  return userId === undefined || baseId === undefined ? undefined : { userId, baseId };
}
