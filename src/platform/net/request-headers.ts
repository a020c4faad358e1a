import { DialFailed } from './dial-failed.ts';

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i; // RFC 9110 5.1
// Less than RFC 9110 5.5 allows: what is not ASCII is read differently by different receivers.
const VALUE = /^[\t\x20-\x7e]*$/;
/** What says where a request ends and whom it is for; never left to a caller. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Adds the headers that every request has, or throws where one of the caller's could change the request. */
export function completeHeaders(headers: Record<string, string>, url: URL, bodyBytes: number): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value) || isOurs(name.toLowerCase())) throw new DialFailed('refused-target');
  }
  return { ...headers, Host: url.host, 'Content-Length': String(bodyBytes) };
}

function isOurs(name: string): boolean {
  return OURS.has(name) || name.startsWith('proxy-');
}
