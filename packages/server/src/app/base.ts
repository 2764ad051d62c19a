import { pino } from 'pino';
import type { Config } from '../config.ts';
import { toldError, type Log } from '../lib/log.ts';
import type { Clock } from '../ports/clock.ts';

/** Dependencies of every part of the app. */
export interface Base {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ignores write errors: a full disk or a closed pipe of the log must not stop the server. */
export function openLog(config: Config): Log {
  const destination = pino.destination({ dest: 2, sync: false });
  destination.on('error', () => undefined);
  return pino({ level: config.SHEAF_LOG_LEVEL, serializers: { err: toldError } }, destination);
}
