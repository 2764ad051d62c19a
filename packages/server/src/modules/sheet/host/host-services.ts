import type { Config } from '../../../config.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { BlobStore } from '../../../ports/blob-store.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventBus } from '../../../ports/event-bus.ts';
import type { BlobAccounting } from '../../../ports/blob-accounting.ts';
import type { SheetStore } from '../../../ports/sheet-store.ts';

/** The services that hosting documents requires. */
export interface HostServices {
  readonly sheets: SheetStore;
  readonly blobs: BlobStore;
  readonly blobAccounting: BlobAccounting;
  readonly config: Pick<Config, 'SHEAF_QUOTA_BYTES'>;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
}
