import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { invalidField, missingField } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { listFieldTypes } from '../../fields/field-types.ts';
import { parseRule } from '../rule/parse-rule.ts';
import { fieldNamed } from './fields.ts';
import { type AskedCondition, type Filters, LONGEST_IN_ALL, MOST_TERMS_IN_ALL } from './filters.ts';
import { parseFilters } from './parse-filters.ts';
import { type FieldsByName, readCondition } from './read-condition.ts';
import '../../tables.ts';

/** Whose filters are read. */
export interface Asker {
  customerId: number;
  requireOwn: OwnershipCheck;
}

/** Filters from their wire form, a list or JSON in a text; null where nothing is asked for. */
export async function readFilters(tx: Tx, asker: Asker, wire: unknown): Promise<Filters | null> {
  const asked = parseFilters(wire);
  return asked === null ? null : check(tx, asker, asked, 'filters');
}

/** Filters from a rule in words; null where there is none. */
export async function readRule(tx: Tx, asker: Asker, rule: string | null | undefined): Promise<Filters | null> {
  if (rule === undefined || rule === null || rule.trim() === '') return null;
  return check(tx, asker, parseRule(rule), 'rule');
}

async function check(tx: Tx, asker: Asker, asked: AskedCondition[][], name: string): Promise<Filters> {
  requireModest(asked.flat(), name);
  const fields = await fieldsOf(tx, asker.customerId, asked.flat());
  const filters = asked.map((group) => group.map((condition) => readCondition(condition, fields)));
  await requireOwnIds(tx, asker, filters);
  return filters;
}

function requireModest(asked: AskedCondition[], name: string): void {
  const texts = asked.flatMap(({ field, terms }) => [field, ...terms]);
  if (texts.length - asked.length > MOST_TERMS_IN_ALL) {
    throw invalidField(name, `takes at most ${MOST_TERMS_IN_ALL} terms in all`);
  }
  if (texts.reduce((sum, text) => sum + text.length, 0) > LONGEST_IN_ALL) {
    throw invalidField(name, `takes at most ${LONGEST_IN_ALL} characters in all`);
  }
}

async function fieldsOf(tx: Tx, customerId: number, asked: AskedCondition[]): Promise<FieldsByName> {
  if (!asked.some(({ field }) => 'custom' in fieldNamed(field))) return new Map();
  return new Map((await listFieldTypes(tx, customerId)).map((type) => [type.name, type]));
}

interface Named {
  table: 'subscription_lists' | 'campaign_mailings';
  ownerOf(id: number): RawBuilder<number | null>;
  missing: string;
}

const LISTS: Named = {
  table: 'subscription_lists',
  ownerOf: (id) => sql`find_subscription_list_customer(${id})`,
  missing: 'no such list',
};
const MAILINGS: Named = {
  table: 'campaign_mailings',
  ownerOf: (id) => sql`find_campaign_mailing_customer(${id})`,
  missing: 'no such mailing',
};

async function requireOwnIds(tx: Tx, asker: Asker, filters: Filters): Promise<void> {
  const conditions = filters.flat().filter(({ custom }) => custom === undefined);
  const lists = conditions.filter(({ field }) => field === 'list').flatMap(({ terms }) => terms);
  const mailings = conditions
    .filter(({ field }) => ['received', 'opened', 'clicked'].includes(field))
    .flatMap(({ op, terms }) => (op.endsWith('days') ? terms.slice(1) : terms))
    .filter((id) => id !== 'any');
  await requireOwnOf(tx, asker, LISTS, lists);
  await requireOwnOf(tx, asker, MAILINGS, mailings);
}

async function requireOwnOf(tx: Tx, asker: Asker, named: Named, terms: string[]): Promise<void> {
  if (terms.length === 0) return;
  const { customerId, requireOwn } = asker;
  const ids = [...new Set(terms.map(Number))];
  const own = await tx
    .selectFrom(named.table)
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute();
  const known = new Set(own.map(({ id }) => id));
  for (const id of ids.filter((each) => !known.has(each))) {
    const missing = missingField('filters', named.missing);
    await requireOwn(tx, customerId, named.ownerOf(id), missing);
    throw missing;
  }
}
