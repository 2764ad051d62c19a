import { pino } from 'pino';
import type { Config } from '../config.ts';
import { serializeError, type Logger } from '../lib/logger.ts';
import type { Clock } from '../ports/clock.ts';

export interface CoreServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Opens the log. It ignores write errors, because a full disk or a closed pipe must not stop the server. */
export function openLogger(config: Config): Logger {
  const destination = pino.destination({ dest: 2, sync: false });
  destination.on('error', () => undefined);
  return pino({ level: config.SHEAF_LOG_LEVEL, serializers: { err: serializeError } }, destination);
}
