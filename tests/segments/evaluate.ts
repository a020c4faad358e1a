import type { WireCondition } from '../../src/marketing/segments/filters/filters.ts';
import type { Op } from '../../src/marketing/segments/filters/ops.ts';
import { KINDS } from './arbitraries.ts';

/** Somebody as the rows of the database tell of them. */
export interface Person {
  id: string;
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  time_zone: string | null;
  created_at: string;
  updated_at: string;
  unsubscribed: boolean;
  /** By the names that stand in conditions. */
  custom: Record<string, string>;
  lists: { id: string; active: boolean }[];
  mailed: { mailing: string; delivered_at: string | null; opened_at: string | null; clicked_at: string | null }[];
}

const DAY = 24 * 3600_000;

/** Whether somebody fits filters, told without a database. */
export function evaluate(person: Person, filters: WireCondition[][], at: Date): boolean {
  return filters.some((group) => group.every((condition) => holds(person, condition, at)));
}

/** Whether one condition holds for somebody. */
export function holds(person: Person, condition: WireCondition, at: Date): boolean {
  const { field, op, terms } = condition;
  if (field === 'list') return person.lists.some(({ id, active }) => active && terms.includes(id)) === (op === 'is');
  if (['received', 'opened', 'clicked'].includes(field)) return wasMailed(person, condition, at);
  const value = valueOf(person, field);
  const kind = KINDS[field] as string;
  const matches = (how: 'includes' | 'startsWith' | 'endsWith') => terms.some((term) => lower(value)[how](lower(term)));
  const answers: Partial<Record<Op, boolean>> = {
    is: isAmong(kind, value, terms),
    is_not: !isAmong(kind, value, terms),
    contains: matches('includes'),
    not_contains: !matches('includes'),
    starts_with: matches('startsWith'),
    ends_with: matches('endsWith'),
    is_empty: value === '',
    is_not_empty: value !== '',
  };
  return answers[op] ?? compares(op, value, terms, at);
}

function compares(op: string, value: string, terms: string[], at: Date): boolean {
  const [first = '', second = ''] = terms;
  const [number, date] = [numberIn(value), dateIn(value)];
  const today = Date.parse(at.toISOString().slice(0, 10));
  const until = today + Number(first) * DAY;
  switch (op) {
    case 'more_than':
      return number > Number(first);
    case 'less_than':
      return number < Number(first);
    case 'at_least':
      return number >= Number(first);
    case 'at_most':
      return number <= Number(first);
    case 'after':
      return date > Date.parse(first);
    case 'before':
      return date < Date.parse(first);
    case 'on_or_after':
      return date >= Date.parse(first);
    case 'on_or_before':
      return date <= Date.parse(first);
    case 'between':
      return Number.isNaN(Number(first))
        ? date >= Date.parse(first) && date <= Date.parse(second)
        : number >= Number(first) && number <= Number(second);
    case 'in_last_days':
      return date <= today && date >= today - Number(first) * DAY;
    case 'in_next_days':
      return date >= today && date <= until;
    default:
      return [0, 1].some((later) => {
        const again = anniversary(date, at.getUTCFullYear() + later);
        return again >= today && again <= until;
      });
  }
}

function wasMailed({ mailed }: Person, { field, op, terms }: WireCondition, at: Date): boolean {
  const counts = op.endsWith('days');
  const ids = counts ? terms.slice(1) : terms;
  const since = counts ? at.getTime() - Number(terms[0]) * DAY : Number.NEGATIVE_INFINITY;
  const when = { received: 'delivered_at', opened: 'opened_at', clicked: 'clicked_at' }[field] as 'delivered_at';
  const did = mailed.some(
    (each) =>
      each[when] !== null && Date.parse(each[when]) >= since && (ids[0] === 'any' || ids.includes(each.mailing)),
  );
  return did === (op === 'is' || op === 'in_last_days');
}

function valueOf(person: Person, field: string): string {
  if (field === 'email_domain') return person.email?.split('@').at(-1) ?? '';
  if (field === 'full_name') return [person.first_name, person.last_name].filter((part) => part !== null).join(' ');
  if (field === 'unsubscribed') return String(person.unsubscribed);
  const { custom, lists: _lists, mailed: _mailed, unsubscribed: _unsubscribed, ...plain } = person;
  return (field in plain ? plain[field as keyof typeof plain] : custom[field]) ?? '';
}

function isAmong(kind: string, value: string, terms: string[]): boolean {
  if (kind === 'number') return terms.some((term) => Number(term) === numberIn(value));
  if (kind === 'date') return terms.some((term) => Date.parse(term) === dateIn(value));
  const said = kind === 'yes_no' ? yesOrNoIn(value) : lower(value);
  return said !== '' && terms.some((term) => lower(term) === said);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function yesOrNoIn(text: string): string {
  if (/^(true|yes|y|1)$/i.test(text)) return 'true';
  return /^(false|no|n|0)$/i.test(text) ? 'false' : '';
}

function numberIn(text: string): number {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

function dateIn(text: string): number {
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? '';
  const time = Date.parse(day);
  return day > '0001' && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : Number.NaN;
}

function anniversary(date: number, year: number): number {
  if (Number.isNaN(date)) return Number.NaN;
  const [month, day] = [new Date(date).getUTCMonth(), new Date(date).getUTCDate()];
  const same = new Date(Date.UTC(year, month, day));
  return same.getUTCMonth() === month ? same.getTime() : Date.UTC(year, month, 28);
}
