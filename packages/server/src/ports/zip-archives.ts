/** Zip archives that are generated while they are downloaded; nothing is stored. */
export interface ZipArchives {
  /** Undefined if the key's user may no longer see anything in it. Generation stops when the reader stops. */
  open(key: string): Promise<AsyncIterable<Buffer> | undefined>;
}

const shape = /^exports\/([A-Za-z0-9_-]{1,80})\/([A-Za-z0-9_-]{1,80})\.zip$/;

/** Link key of a base's archive: the requesting user and the base. */
export function archiveKey(userId: string, baseId: string): string {
  return `exports/${userId}/${baseId}.zip`;
}

/** Undefined if the key is not an archive key. */
export function parseArchiveKey(key: string): { userId: string; baseId: string } | undefined {
  const [, userId, baseId] = shape.exec(key) ?? [];
  return userId === undefined || baseId === undefined ? undefined : { userId, baseId };
}
