import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { describeFilters } from '../segments/filters/describe-filters.ts';
import { previewFilters } from '../segments/preview.ts';
import { readSegment, SegmentBody } from '../segments/read-segment.ts';
import { writeRule } from '../segments/rule/write-rule.ts';
import { fullNameOf } from '../subscribers/subscriber.ts';
import type { MarketingDeps } from './deps.ts';
import { Filter } from './dynamic-list-reply.ts';

const Reply = Type.Object({
  data: Type.Object({
    count: Type.Integer(),
    complete: Type.Boolean({ description: 'false where looking took too long: then there are at least so many' }),
    sample: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        email: Type.Union([Type.String(), Type.Null()]),
        full_name: Type.String(),
      }),
      { description: 'Up to five of those who fit, the newest first' },
    ),
    filters: Type.Array(Type.Array(Filter)),
    rule: Type.String(),
  }),
});

/** POST /dynamic_lists/count: whom filters or a rule would find, before anything is saved. */
export function dynamicListCountEndpoint({ db, clock, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/dynamic_lists/count',
    operation: 'countDynamicList',
    summary: 'How many people filters or a rule find that are not saved, a few of them, and the same in words',
    access: { scope: 'marketing' },
    audit: 'segment.counted',
    body: SegmentBody,
    reply: Reply,
    async handle({ act, body }) {
      const { customerId } = act;
      const { filters, fields } = await db.tenant([customerId], async (tx) => ({
        ...(await readSegment(tx, { customerId, requireOwn }, body)),
        fields: await listFieldTypes(tx, customerId),
      }));
      if (filters === undefined) throw invalidField('filters', 'is required, or rule');
      const { count, complete, sample } = await previewFilters({ db, clock }, { customerId, filters });
      const seen = { people: sample.length, subscribers: sample.map((person) => person.id) };
      await db.tenant([customerId], (tx) => recordAct(tx, clock, act, { details: seen }));
      const described = describeFilters(filters, fields);
      return {
        data: {
          count,
          complete,
          sample: sample.map((person) => ({ id: person.id, email: person.email, full_name: fullNameOf(person) })),
          filters: described,
          rule: writeRule(described),
        },
      };
    },
  });
}
