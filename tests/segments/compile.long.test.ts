import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { compileFilters } from '../../src/marketing/segments/compile.ts';
import { explainSegment } from '../../src/marketing/segments/explain.ts';
import type { Filters, WireCondition } from '../../src/marketing/segments/filters/filters.ts';
import { readFilters, readRule } from '../../src/marketing/segments/filters/read-filters.ts';
import { writeRule } from '../../src/marketing/segments/rule/write-rule.ts';
import type { Segment } from '../../src/marketing/segments/segment.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { CUSTOM, filtersWith, type Ids } from './arbitraries.ts';
import { evaluate, holds, type Person } from './evaluate.ts';
import { type FieldNumbers, personWith, writePeople } from './population.ts';

const AT = new Date('2026-11-15T12:00:00Z');

let app: TestApp;
let customerId: number;
let ids: Ids;
let numbers: FieldNumbers;

before(async (t) => {
  app = await startApp(t as TestContext);
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  customerId = customer.id;
  ids = await asOwner(app, async (client) => {
    const made = async (table: string, column: string, more: string, value: string) => {
      const { rows } = await client.query(
        `insert into ${table} (customer_id, ${column}, created_at, updated_at ${more})
         values ($1, $2 || 'a', now(), now() ${value}), ($1, $2 || 'b', now(), now() ${value}) returning id::text`,
        [customerId, 'one'],
      );
      return rows.map(({ id }) => id as string);
    };
    return {
      lists: await made('subscription_lists', 'name', '', ''),
      mailings: await made('campaign_mailings', 'subject', ', template_type, version', `, 'html', 1`),
    };
  });
  numbers = await createFields();
  await asOwner(app, async (client) => {
    const stranger = fc.sample(personWith(ids), 3);
    await writePeople(client, other.id, stranger, numbers);
  });
});

async function createFields(): Promise<FieldNumbers> {
  const types = Object.entries(CUSTOM).map(([wire, kind]) => ({
    wire,
    name: wire.replace(/^custom_fields\./, ''),
    kind,
  }));
  return app.installation.db.tenant([customerId], async (tx) => {
    const entries = types.map(async ({ wire, name, kind }) => {
      const values = { id: timeOrderedId(systemClock), customer_id: customerId, name, created_at: AT };
      const row = await tx
        .insertInto('custom_field_types')
        .values({ ...values, kind: kind as 'text', class: 'none' })
        .returning('number')
        .executeTakeFirstOrThrow();
      return [wire, row.number] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  });
}

const asker = () => ({ customerId, requireOwn });

async function fitting(tx: Tx, filters: Filters): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select s.id from subscribers s where s.customer_id = ${customerId}
    and ${compileFilters(filters, { customerId, at: AT })} order by s.id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function explained(tx: Tx, filters: Filters, wire: WireCondition[][], { id }: Person) {
  const occasion = { customerId, at: AT };
  return explainSegment(tx, occasion, { filters } as Segment, { subscriberId: id, described: wire });
}

test('the database finds whom the filters mean, and tells the same of each condition', async () => {
  let members = 0;
  let looks = 0;
  await asOwner(app, async (client) => {
    const people = fc.array(personWith(ids), { minLength: 1, maxLength: 12 });
    const many = fc.array(filtersWith(ids), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(people, many, async (population, asked) => {
        await writePeople(client, customerId, population, numbers);
        await app.installation.db.tenant([customerId], async (tx) => {
          for (const wire of asked) {
            const filters = (await readFilters(tx, asker(), wire)) as Filters;
            const expected = population.filter((person) => evaluate(person, wire, AT)).map(({ id }) => id);
            assert.deepEqual(await fitting(tx, filters), expected.toSorted(), writeRule(wire));
            assert.deepEqual(await readRule(tx, asker(), writeRule(wire)), filters);
            const [first] = population as [Person];
            const why = await explained(tx, filters, wire, first);
            assert.equal(why.member, expected.includes(first.id));
            const told = why.groups.map(({ conditions }) => conditions.map((condition) => condition.holds));
            const each = wire.map((group) => group.map((condition) => holds(first, condition, AT)));
            assert.deepEqual(told, each, writeRule(wire));
            members += expected.length;
            looks += population.length;
          }
        });
      }),
      { numRuns: 60 },
    );
  });
  assert.ok(members > looks / 10 && members < (looks * 9) / 10, `${members} of ${looks} fitted`);
});

test('nothing that a caller writes stands in the statement', async () => {
  const mark = `mark'"\\;--$1`;
  const wire = [
    [
      { field: 'city', op: 'is', terms: [mark] },
      { field: 'email', op: 'contains', terms: [mark, `%${mark}_`] },
      { field: 'Home "Town"', op: 'starts_with', terms: mark },
    ],
  ];
  await app.installation.db.tenant([customerId], async (tx) => {
    const filters = (await readFilters(tx, asker(), wire)) as Filters;
    const compiled = sql`select from subscribers s where ${compileFilters(filters, { customerId, at: AT })}`.compile(
      tx,
    );
    assert.ok(!compiled.sql.includes('mark') && !compiled.sql.includes('Town'));
    assert.equal(compiled.parameters.filter((value) => String(value).includes('mark')).length, 4);
    assert.deepEqual(await fitting(tx, filters), []);
  });
});
