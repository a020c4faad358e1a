import { isIP } from 'node:net';
import { resolve } from 'node:path';

export interface Rate {
  count: number;
  windowSeconds: number;
}

export interface Limits {
  key: Rate;
  network: Rate;
  form: Rate;
  freeDiskBytes: number;
}

/** How long things are kept, unless a customer asks for less (for more, of the audit log). */
export interface Retention {
  backupDays: number;
  contentDays: number;
  sandboxDays: number;
  logDays: number;
  webhookDays: number;
  workDays: number;
  marketingDays: number;
  auditYears: number;
}

/** Thrown by what cannot read its text. */
export class Unreadable extends Error {}

export function oneOf<T extends string>(...choices: T[]): (text: string) => T {
  return (text) => {
    if (!choices.includes(text as T)) throw new Unreadable();
    return text as T;
  };
}

export function listOf<T>(read: (text: string) => T): (text: string) => T[] {
  return (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read);
}

export function orNull<T>(read: (text: string) => T): (text: string) => T | null {
  return (text) => (text === '' ? null : read(text));
}

export function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw new Unreadable();
  return value;
}

export function drainSeconds(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 10) throw new Unreadable();
  return Number(text);
}

function anyText(value: string): string {
  return value;
}

export function file(value: string): string {
  if (value === '') throw new Unreadable();
  return resolve(value);
}

export function hostName(value: string): string {
  if (!/^[a-z0-9.:-]+$/i.test(value)) throw new Unreadable();
  return value;
}

export function mailAddress(value: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new Unreadable();
  return value;
}

export function network(value: string): string {
  const [host = '', bits, ...rest] = value.split('/');
  const family = isIP(host);
  const most = family === 6 ? 128 : 32;
  if (family === 0 || rest.length > 0) throw new Unreadable();
  if (bits !== undefined && (!/^\d+$/.test(bits) || Number(bits) > most)) throw new Unreadable();
  return value;
}

/** An address, with a port behind it where it is not the usual one; IPv6 then stands in brackets. */
export function nameServer(value: string): string {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(value) ?? [];
  if (isIP(bracketed ?? plain ?? value) === 0) throw new Unreadable();
  if (digits !== undefined && port(digits) === 0) throw new Unreadable();
  return value;
}

/** A host and a port, or the whole path of a socket. */
export function hostOrSocket(value: string): string {
  if (value.startsWith('/')) return value;
  const [, host = '', digits = ''] = /^(.+):(\d+)$/.exec(value) ?? [];
  if (port(digits) === 0) throw new Unreadable();
  hostName(host);
  return value;
}

/** Takes a URL that begins with one of these: `file:data` is one too, but would quietly mean `/data`. */
export function urlWith(...beginnings: string[]): (value: string) => string {
  return (value) => {
    const url = value.replace(/\/+$/, '');
    if (!URL.canParse(url) || !beginnings.some((beginning) => url.startsWith(beginning))) throw new Unreadable();
    return url;
  };
}

/**
 * The address of a site: with a user in it every link would show the password, with a query none would lead there, and below
 * a path pages would lead to those of another site.
 */
export function siteAddress(value: string): string {
  const url = urlWith('http://', 'https://')(value);
  const { username, password, pathname } = new URL(url);
  if (username !== '' || password !== '' || pathname !== '/' || /[?#]/.test(url)) throw new Unreadable();
  return url;
}

function pairs(value: string, readers: Record<string, (item: string) => void>): void {
  for (const item of listOf(anyText)(value)) {
    const [name = '', amount = '', ...rest] = item.split('=').map((part) => part.trim());
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined || rest.length > 0) throw new Unreadable();
    read(amount);
  }
}

function rate(value: string): Rate {
  const match = /^(\d+)\/(\d+)s$/.exec(value);
  const [count, windowSeconds] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || count < 1 || windowSeconds < 1 || windowSeconds > 3600) throw new Unreadable();
  return { count, windowSeconds };
}

function bytes(value: string): number {
  const match = /^(\d+)(MB|GB)$/.exec(value);
  if (match === null) throw new Unreadable();
  return Number(match[1]) * (match[2] === 'GB' ? 2 ** 30 : 2 ** 20);
}

/** A hundred years: what lies too far back is no moment that could be reckoned with. */
const MOST_DAYS = 36_500;

function days(value: string): number {
  const match = /^(\d+)d$/.exec(value);
  if (match === null || Number(match[1]) < 1 || Number(match[1]) > MOST_DAYS) throw new Unreadable();
  return Number(match[1]);
}

export function limits(value: string): Limits {
  const result: Limits = {
    key: { count: 600_000, windowSeconds: 60 },
    network: { count: 60_000, windowSeconds: 60 },
    form: { count: 6_000, windowSeconds: 60 },
    freeDiskBytes: 2 ** 30,
  };
  pairs(value, {
    key: (item) => (result.key = rate(item)),
    network: (item) => (result.network = rate(item)),
    form: (item) => (result.form = rate(item)),
    'free-disk': (item) => (result.freeDiskBytes = bytes(item)),
  });
  return result;
}

// 45 CFR 164.316(b)(2)(i); a customer goes below by a recorded override only.
const LEAST_AUDIT_YEARS = 6;
const SIX_YEARS_IN_DAYS = 2_192;

function auditYears(value: string): number {
  const match = /^(\d{1,2})y$/.exec(value);
  if (match === null || Number(match[1]) < LEAST_AUDIT_YEARS) throw new Unreadable();
  return Number(match[1]);
}

export function retention(value: string): Retention {
  const result: Retention = {
    backupDays: 35,
    contentDays: 30,
    sandboxDays: 30,
    logDays: SIX_YEARS_IN_DAYS,
    webhookDays: 90,
    workDays: 90,
    marketingDays: SIX_YEARS_IN_DAYS,
    auditYears: LEAST_AUDIT_YEARS,
  };
  pairs(value, {
    backups: (item) => (result.backupDays = days(item)),
    content: (item) => (result.contentDays = days(item)),
    sandbox: (item) => (result.sandboxDays = days(item)),
    log: (item) => (result.logDays = days(item)),
    webhooks: (item) => (result.webhookDays = days(item)),
    work: (item) => (result.workDays = days(item)),
    marketing: (item) => (result.marketingDays = days(item)),
    audit: (item) => (result.auditYears = auditYears(item)),
  });
  return result;
}
