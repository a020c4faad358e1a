import { type Static, Type } from 'typebox';
import {
  FINDING_KINDS,
  type Finding,
  findReview,
  listReviews,
  openNotes,
  type Review,
  reviewState,
  signReview,
} from '../../../accounts/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { DashboardDeps } from '../../deps.ts';
import { Moment, MomentOrNull, momentOf, NumberOrNull, TextOrNull } from '../reply-parts.ts';
import { lately } from './grant-reply.ts';
import type { Place } from './places.ts';

const Line = {
  id: Type.String({ format: 'uuid' }),
  from: Moment,
  to: Moment,
  state: Type.Enum(['open', 'overdue', 'signed']),
  due_at: Moment,
  signed_at: MomentOrNull,
  signed_by: TextOrNull,
  own: Type.Boolean({ description: 'signed by somebody who is in the findings, as nobody else could' }),
  findings_count: Type.Integer(),
};

const ReviewReply = Type.Object({
  ...Line,
  notes: TextOrNull,
  findings: Type.Array(
    Type.Object({
      kind: Type.Enum([...FINDING_KINDS]),
      actor: Type.Object({ kind: Type.String(), id: Type.String() }),
      count: Type.Integer(),
      past: NumberOrNull,
      action: TextOrNull,
      where: Type.String({ description: 'the rows of the audit log, as a path in the dashboard after /app' }),
    }),
  ),
});

/** What was done in each period, and who has looked at it. */
export function reviewEndpoints(deps: DashboardDeps, { path, role, named }: Place): Endpoint[] {
  const { db, clock, vault, requireOwn } = deps;
  const describe = async (tx: Tx, keys: CustomerVault, review: Review): Promise<Static<typeof ReviewReply>> => ({
    ...lineOf(review, clock.now()),
    notes: await openNotes(tx, keys, review),
    findings: review.findings.map((finding) => ({ ...finding, where: rowsOf(review, finding) })),
  });
  return [
    endpoint({
      method: 'GET',
      path: `${path}/reviews`,
      operation: `list${named}Reviews`,
      summary: 'The reviews of what was done, the latest first',
      access: { scope: 'people', role },
      audit: null,
      reply: Type.Object({ data: Type.Array(Type.Object(Line)) }),
      async handle({ act: { customerId } }) {
        const reviews = await listReviews(db, { customerId, ...lately(deps) });
        return { data: reviews.map((review) => lineOf(review, clock.now())) };
      },
    }),
    endpoint({
      method: 'GET',
      path: `${path}/reviews/:id`,
      operation: `read${named}Review`,
      summary: 'What was unusual in a period, from the audit log',
      access: { scope: 'people', role },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      reply: ReviewReply,
      async handle({ act: { customerId }, params }) {
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) =>
          describe(tx, keys, await findReview(tx, requireOwn, customerId, params.id)),
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/reviews/:id/sign`,
      operation: `sign${named}Review`,
      summary: 'Sign a review; it cannot be changed afterwards',
      access: { scope: 'people', role, fresh: true },
      audit: 'review.signed',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ notes: Type.String({ maxLength: 10_000 }) }),
      reply: ReviewReply,
      async handle({ act, params, body }) {
        const { customerId } = act;
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const review = await findReview(tx, requireOwn, customerId, params.id);
          await signReview(tx, { clock, keys }, act, { review, notes: body.notes.trim() });
          return describe(tx, keys, await findReview(tx, requireOwn, customerId, params.id));
        });
      },
    }),
  ];
}

function lineOf(review: Review, now: Date) {
  return {
    id: review.id,
    from: review.from.toISOString(),
    to: review.to.toISOString(),
    state: reviewState(review, now),
    due_at: review.dueAt.toISOString(),
    signed_at: momentOf(review.signedAt),
    signed_by: review.signedBy,
    own: review.isOwn,
    findings_count: review.findings.length,
  };
}

function rowsOf({ from, to }: Review, { actor, action }: Finding): string {
  const span = { from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10) };
  const wanted = new URLSearchParams({ actor: actor.id, ...(action === null ? {} : { action }), ...span });
  return `/settings/audit?${wanted.toString()}`;
}
