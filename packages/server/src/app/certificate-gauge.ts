import { connect } from 'node:tls';
import type { GaugeSource } from '../adapters/metrics/prometheus.ts';

const timeoutMs = 5_000;
/**
 * Time in milliseconds for which the expiry date of the certificate is cached. An outdated date does no harm, because
 * certificates are renewed days before they expire.
 */
const keptMs = 600_000;

/**
 * Returns a list with one metric (gauge): the time at which the TLS certificate of the server's public URL expires. The
 * list is empty if no public URL is configured or the URL is not HTTPS.
 */
export function certificateGauge(publicUrl: string | undefined): GaugeSource[] {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (url?.protocol !== 'https:') return [];
  let kept: { at: number; seconds: number } | undefined;
  return [
    {
      name: 'sheaf_certificate_expiry_seconds',
      help: 'When the certificate at SHEAF_PUBLIC_URL ends, in seconds since 1970; 0 until the server has seen it.',
      async query() {
        if (!kept || performance.now() - kept.at > keptMs)
          kept = { at: performance.now(), seconds: await readExpiry(url) };
        return kept.seconds;
      },
    },
  ];
}

/**
 * Connects to the public URL and returns when its certificate expires, in Unix seconds. The certificate is not
 * verified, so that an expired one is reported too.
 */
function readExpiry({ hostname, port }: URL): Promise<number> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const isName = /[a-z]/i.test(host) && !host.includes(':');
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      rejectUnauthorized: false,
      ...(isName && { servername: host }),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to) / 1000);
      socket.destroy();
    });
  });
}
