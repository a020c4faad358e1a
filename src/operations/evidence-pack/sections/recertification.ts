import type { Row, Section } from '../section.ts';

const DAY = 24 * 3600_000;
const UNUSED_DAYS = 90;

/**
 * The list that somebody goes through by hand: each access in force, what speaks against it, and room for the decision
 * (SP 800-66r2, access authorisation).
 */
export function recertification(people: Section, keys: Section, now: Date): Section {
  const access = [
    ...people.rows.filter(({ state }) => state !== 'removed').map((row) => ofPerson(row, now)),
    ...keys.rows.filter((row) => isInForce(row, now)).map((row) => ofKey(row, now)),
  ];
  return {
    name: 'recertification',
    title: `Access to confirm, as of ${now.toISOString().slice(0, 10)}`,
    about: `Every access in force, with what to look at. Fill in the last three columns and keep the list.`,
    columns: ['customer', 'kind', 'id', 'who', 'access', 'last_used', 'look_at', 'keep', 'decided_by', 'decided_on'],
    rows: access.map((row) => ({ ...row, keep: null, decided_by: null, decided_on: null })),
  };
}

function isInForce({ revoked, expires }: Row, now: Date): boolean {
  return revoked === null && (expires === null || new Date(String(expires)) > now);
}

function ofPerson(row: Row, now: Date): Row {
  const doubts = [
    ...(row.state === 'invited'
      ? ['invited and never came']
      : unused(row.last_sign_in ?? null, row.created ?? null, now)),
    ...(row.state === 'active' && row.second_factor !== true ? ['no second factor'] : []),
  ];
  return {
    customer: row.customer ?? null,
    kind: 'person',
    id: row.id ?? null,
    who: row.email ?? null,
    access: row.role ?? null,
    last_used: row.last_sign_in ?? null,
    look_at: doubts.join('; '),
  };
}

function ofKey(row: Row, now: Date): Row {
  const doubts = [
    ...unused(row.last_used ?? null, row.created ?? null, now),
    ...(row.expires === null ? ['has no end'] : []),
    ...(row.created_by === null ? ['belongs to no person'] : []),
  ];
  return {
    customer: row.customer ?? null,
    kind: 'key',
    id: row.id ?? null,
    who: row.name ?? null,
    access: row.scopes ?? null,
    last_used: row.last_used ?? null,
    look_at: doubts.join('; '),
  };
}

/** Nobody is told off for what they were given yesterday and have not used yet. */
function unused(lastUsed: Row[string], created: Row[string], now: Date): string[] {
  const last = new Date(String(lastUsed ?? created));
  const days = Math.floor((now.getTime() - last.getTime()) / DAY);
  return days >= UNUSED_DAYS ? [`not used for ${days} days`] : [];
}
