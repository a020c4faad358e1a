import { AppError, invalidField } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { checkTargetUrl, TargetRefused, type TargetRules } from '../../platform/net/target-url.ts';
import { EVENTS_BY_SCOPE } from '../events/names.ts';
import type { Target } from './endpoint.ts';
import { keyOf } from './secret.ts';

const LONGEST_SECRET = 255;
const KNOWN_EVENTS = new Set(Object.values(EVENTS_BY_SCOPE).flat());
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** The address of an endpoint, checked as it will be again at each delivery. */
export function readTarget(text: string, rules: TargetRules): Target {
  try {
    return { targetUrl: checkTargetUrl(text, rules).href, writtenUrl: text };
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new AppError('unprocessable', `target_url: ${error.message}`, { fields: { target_url: [error.message] } });
  }
}

/** The events that an endpoint asks for, as a list or joined by commas; a key may ask for those of its scopes. */
export function readEvents(scopes: ReadonlySet<Scope>, given: string[] | string): string[] {
  const listed = typeof given === 'string' ? given.split(',') : given;
  const events = [...new Set(listed.map((name) => name.trim()).filter((name) => name !== ''))];
  if (events.length === 0) throw new AppError('unprocessable', 'events: needs at least one');
  if (!events.every((name) => KNOWN_EVENTS.has(name))) {
    throw new AppError('unprocessable', `events: takes ${[...KNOWN_EVENTS].join(', ')}`);
  }
  requireEntitled(scopes, events);
  return events;
}

/** Throws unless the scopes of a key cover these events. */
export function requireEntitled(scopes: ReadonlySet<Scope>, events: string[]): void {
  const missing = events.find((name) => !isEntitled(scopes, name));
  if (missing !== undefined) throw new AppError('forbidden', `events: not entitled to '${missing}'`);
}

/** Whether the scopes of a key cover an event. */
export function isEntitled(scopes: ReadonlySet<Scope>, event: string): boolean {
  return [...scopes].some((scope) => EVENTS_BY_SCOPE[scope].includes(event));
}

/** A secret or credential that the caller chose; empty is none. */
export function readSecret(field: string, given: string | null | undefined): string | null {
  if (given === undefined || given === null || given === '') return null;
  if (given.length > LONGEST_SECRET || !HEADER_SAFE.test(given)) {
    throw invalidField(field, `takes up to ${LONGEST_SECRET} visible ASCII characters`);
  }
  return given;
}

/** A signing secret that the caller chose. Short ones are taken: what clients of long standing send has three letters. */
export function readSigningKey(given: string | null | undefined): string | null {
  const key = readSecret('signing_key', given);
  if (key !== null && keyOf(key).length === 0) throw invalidField('signing_key', 'behind whsec_ takes base64');
  return key;
}
