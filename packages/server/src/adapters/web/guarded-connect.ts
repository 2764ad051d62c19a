import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchRefused } from '../../ports/web-fetcher.ts';
import type { AddressExemptions } from './address-rules.ts';
import { checkAddress } from './url-rules.ts';

export type Resolve = (host: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const systemResolve: Resolve = (host, callback) => lookup(host, { all: true, verbatim: true }, callback);

/**
 * Returns a connector for the HTTP client that refuses private addresses. It checks the addresses in the same lookup
 * from which the socket takes its address. So no second lookup can return a different address (DNS rebinding). The
 * remote address of the connected socket is checked as well.
 */
export function guardedConnect(
  exempt: AddressExemptions,
  connectTimeoutMs: number,
  resolve: Resolve = systemResolve,
): buildConnector.connector {
  const guardedLookup: LookupFunction = (host, options, callback) => {
    resolve(host, (error, addresses) => {
      if (error || addresses.length === 0) return callback(new FetchRefused({ reason: 'unresolvable', host }), '', 0);
      try {
        for (const { address } of addresses) checkAddress(host.replace(/\.$/, ''), address, exempt);
      } catch (error) {
        return callback(error as FetchRefused, '', 0);
      }
      if (options.all) return callback(null, addresses);
      const first = addresses[0]!;
      return callback(null, first.address, first.family);
    });
  };
  // Do not cache TLS sessions. A resumed session skips the verification of the certificate.
  const connect = buildConnector({
    lookup: guardedLookup,
    timeout: connectTimeoutMs,
    maxCachedSessions: 0,
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    try {
      if (isIP(host) !== 0) checkAddress(host, host, exempt);
    } catch (error) {
      return callback(error as FetchRefused, null);
    }
    return connect(options, (error, socket) => {
      if (error) return callback(error, null);
      try {
        checkAddress(host.replace(/\.$/, ''), socket!.remoteAddress ?? '', exempt);
      } catch (error) {
        socket!.destroy();
        return callback(error as FetchRefused, null);
      }
      return callback(null, socket!);
    });
  };
}
