/** Archives that are made while they are read: nothing of them is stored, and no call waits for them. */
export interface Archives {
  /** Undefined when there is nothing that the user of the key may see any more. Whoever stops reading stops the making. */
  open(key: string): Promise<AsyncIterable<Buffer> | undefined>;
}

const shape = /^exports\/([A-Za-z0-9_-]{1,80})\/([A-Za-z0-9_-]{1,80})\.zip$/;

/** What a link to the archive of a base names: who asked for it, and which. */
export function archiveKey(userId: string, baseId: string): string {
  return `exports/${userId}/${baseId}.zip`;
}

/** Undefined when it is no such key. */
export function archiveOf(key: string): { userId: string; baseId: string } | undefined {
  const [, userId, baseId] = shape.exec(key) ?? [];
  return userId === undefined || baseId === undefined ? undefined : { userId, baseId };
}
