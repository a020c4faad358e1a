import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** A URL that must not be called; the reason never repeats any of it. */
export class TargetRefused extends Error {
  override name = 'TargetRefused';
}

export interface TargetRules {
  /** For trials and tests: http and any port to `localhost`, 127.0.0.0/8 and ::1. */
  allowLoopback: boolean;
  /** Names of this installation in lower case, which it does not call. */
  ownNames?: readonly string[];
}

const LONGEST = 2048;
// The parser of URLs drops tabs and line ends, and reads a backslash as a slash.
const NEVER_IN_A_URL = /[\s\p{Cc}\\]/u;
const PLAIN_START = /^https?:\/\/[^/?#@%]+(?:[/?#]|$)/i;
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
/** Two labels or more, and no dot at the end. */
const FULL_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+${LABEL}$`);
const INNER_NAME = /\.(?:localhost|local|internal)$/;

/** Gives the URL as it will be called, without its fragment, or throws TargetRefused. */
export function checkTargetUrl(text: string, rules: TargetRules): URL {
  const url = parse(text);
  const host = hostOf(url);
  if (isLoopbackHost(host)) {
    refuseIf(!rules.allowLoopback, 'the host is this machine');
    return url;
  }
  refuseIf(url.protocol !== 'https:', 'the URL is not https');
  refuseIf(!isOpenPort(url.port), 'the port is neither 443 nor 1024 or above');
  if (isIP(host) > 0) refuseIf(!isPublicAddress(host), 'the address is not a public one');
  else checkName(host, rules);
  return url;
}

/** The host of a URL as a name or a bare address: without the brackets that IPv6 has there. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

function parse(text: string): URL {
  refuseIf(text.length > LONGEST, 'the URL is too long');
  refuseIf(NEVER_IN_A_URL.test(text), 'the URL has a space, a control character or a backslash');
  refuseIf(!PLAIN_START.test(text), 'the URL does not start with https:// and a host alone');
  const url = URL.parse(text);
  if (url === null) throw new TargetRefused('the URL cannot be read');
  url.hash = '';
  refuseIf(url.href.length > LONGEST, 'the URL is too long');
  return url;
}

function isOpenPort(port: string): boolean {
  return port === '' || Number(port) >= 1024; // the parser leaves 443 out
}

function checkName(host: string, { ownNames = [] }: TargetRules): void {
  refuseIf(!FULL_NAME.test(host), 'the host is not a full name');
  refuseIf(INNER_NAME.test(host), 'the host is a name of an inner network');
  refuseIf(ownNames.includes(host), 'the host is this installation');
}

function refuseIf(refused: boolean, reason: string): void {
  if (refused) throw new TargetRefused(reason);
}
