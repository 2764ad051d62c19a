import type { TranscriptionFailure } from '../../ports/transcriber.ts';
import type { FetchRefusal } from '../../ports/web-fetcher.ts';

export function describeFetchRefusal(why: FetchRefusal): string {
  switch (why.reason) {
    case 'bad_url':
      return why.fault === 'redirect'
        ? 'the page redirects to something that is not a URL'
        : addressThat(why.url, urlFaults[why.fault]);
    case 'scheme':
      return addressThat(why.url, 'does not begin with http:// or https://');
    case 'credentials':
      return addressThat(why.url, 'contains a user name or password');
    case 'port':
      return addressThat(why.url, `uses port ${why.port}, which is not a web port`);
    case 'private_address':
      return (
        `${why.host} is a private network address, not one on the internet; ` +
        'the owner of this installation can allow it with SHEAF_FETCH_ALLOW'
      );
    case 'unresolvable':
      return `there is no host ${why.host}`;
    case 'too_many_redirects':
      return `the page was redirected more than ${why.limit} times`;
    case 'too_large':
      return why.fault === 'bytes'
        ? `the page is larger than ${Math.round(why.maxBytes / 2 ** 20)} MB`
        : `the page decompresses to more than ${why.maxRatio} times its transferred size`;
    case 'timed_out':
      return why.timeoutMs === undefined
        ? "the page's server did not respond in time"
        : `the page did not arrive within ${Math.round(why.timeoutMs / 1000)} seconds`;
    case 'status':
      return `the page's server responded with ${why.status}`;
    case 'unreachable':
      return describeUnreadable(why);
    case 'crowded':
      return 'too many large pages and files are being fetched at the same time';
  }
}

/**
 * Classifies a fetch failure: `invalid` for an unusable URL, `refused` for a permanent refusal by the server,
 * `unreachable` if a later attempt may succeed.
 */
export function classifyFetchRefusal(why: FetchRefusal): 'invalid' | 'refused' | 'unreachable' {
  if (why.reason === 'status') return isTransientStatus(why.status) ? 'unreachable' : 'refused';
  return ['unresolvable', 'timed_out', 'unreachable', 'crowded'].includes(why.reason) ? 'unreachable' : 'invalid';
}

function isTransientStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

export function describeTranscriptionFailure(why: TranscriptionFailure): string {
  const endpoint = 'The transcription endpoint of this installation';
  const advice = 'Ask its owner to check SHEAF_TRANSCRIBE_URL.';
  switch (why.reason) {
    case 'no_answer':
      return `${endpoint} is not responding. ${advice}`;
    case 'no_text':
      return `${endpoint} responded with ${why.status} and no text. ${advice}`;
    case 'too_long':
      return `${endpoint} returned too much text.`;
  }
}

const urlFaults = {
  characters: 'contains whitespace, control characters or backslashes, or is too long',
  not_a_url: 'is not a URL',
  no_host: 'has no host',
};

function addressThat(url: string, what: string): string {
  return `the address ${JSON.stringify(url.length > 100 ? `${url.slice(0, 100)}…` : url)} ${what}`;
}

function describeUnreadable(why: Extract<FetchRefusal, { reason: 'unreachable' }>): string {
  switch (why.fault) {
    case 'not_http':
      return 'the page could not be read: its server did not send a valid HTTP response';
    case 'encodings':
      return `the server compressed its response ${why.count} times`;
    case 'encoding':
      return `the server responded with the encoding ${JSON.stringify(why.encoding)}, which was not requested`;
  }
}
