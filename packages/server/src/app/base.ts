import { pino } from 'pino';
import type { Config } from '../config.ts';
import { toldError, type Log } from '../lib/log.ts';
import type { Clock } from '../ports/clock.ts';

/** What every part of the app gets. */
export interface Base {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/** A log that cannot be written (its disk is full, its reader gone) is no reason to stop serving. */
export function openLog(config: Config): Log {
  const destination = pino.destination({ dest: 2, sync: false });
  destination.on('error', () => undefined);
  return pino({ level: config.SHEAF_LOG_LEVEL, serializers: { err: toldError } }, destination);
}
