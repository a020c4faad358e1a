import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { invalidField } from '../../platform/errors.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { findForm, lockForm } from '../definition/form.ts';
import { readPage } from '../definition/read-form-query.ts';
import { createLinks, deleteLink, listLinks } from '../gate/links.ts';
import type { FormsDeps } from './forms.ts';

export interface LinksDeps extends FormsDeps {
  vault: Vault;
  publicUrl: string;
}

const MOST_LINKS = 1_000;
const LONGEST_ANSWERS = 16_384;
const DAY_MS = 24 * 3_600_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

const Id = Type.Object({ id: Type.String() });
const Moment = Type.String({ format: 'date-time' });
const Maybe = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/** Links that take one submission each. */
export function formLinkEndpoints(deps: LinksDeps): Endpoint[] {
  const { db, vault, clock, idempotency, requireOwn, publicUrl } = deps;

  return [
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/links',
      operation: 'createFormLinks',
      summary: 'Make links that take one submission each; they are shown this once',
      access: { scope: 'forms', phi: true },
      audit: 'form.links-created',
      params: Id,
      body: Type.Object({
        count: Type.Integer({ minimum: 1, maximum: MOST_LINKS }),
        expires_at: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
        answers: Type.Optional(
          Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
            description: 'What is filled in already for whoever comes by such a link',
          }),
        ),
      }),
      idempotent: true,
      status: 201,
      reply: Type.Object({
        data: Type.Array(Type.Object({ id: Type.String(), url: Type.String(), expires_at: Moment })),
      }),
      async handle({ act, params, body, idempotency: claim }) {
        const expiresAt = readExpiry(clock, body.expires_at);
        const answers = body.answers ?? null;
        if (answers !== null && JSON.stringify(answers).length > LONGEST_ANSWERS) {
          throw invalidField('answers', `takes at most ${LONGEST_ANSWERS} characters of JSON`);
        }
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const { id: formId } = await lockForm(tx, requireOwn, act.customerId, params.id);
          const wanted = { count: body.count, expiresAt, answers };
          const links = await createLinks(tx, { clock, act, keys }, formId, wanted);
          const base = `${publicUrl.replace(/\/$/, '')}/f/${formId}/l/`;
          const expires_at = expiresAt.toISOString();
          const reply = { data: links.map(({ id, token }) => ({ id, url: base + token, expires_at })) };
          await idempotency.keepWith(tx, claim, { status: 201, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/links',
      operation: 'listFormLinks',
      summary: 'The links of a form and what became of them, the newest first',
      access: { scope: 'forms', role: 'editor' },
      audit: null,
      params: Id,
      query: Type.Object({ page: Maybe, items: Maybe }),
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            id: Type.String(),
            created_at: Moment,
            expires_at: Moment,
            used_at: Type.Union([Moment, Type.Null()]),
            submission_id: Type.Union([Type.String(), Type.Null()]),
          }),
        ),
        total: Type.Integer(),
        page: Type.Integer(),
        items: Type.Integer(),
      }),
      handle: async ({ caller: { customerId }, params, query }) =>
        db.tenant([customerId], async (tx) => {
          const { id } = await findForm(tx, requireOwn, customerId, params.id);
          const wanted = readPage(query);
          const { total, links } = await listLinks(tx, customerId, id, wanted);
          const data = links.map((link) => ({
            ...link,
            created_at: link.created_at.toISOString(),
            expires_at: link.expires_at.toISOString(),
            used_at: link.used_at?.toISOString() ?? null,
          }));
          return { data, total, ...wanted };
        }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/forms/:id/links/:lid',
      operation: 'deleteFormLink',
      summary: 'Take a link back',
      access: { scope: 'forms' },
      audit: 'form.link-deleted',
      params: Type.Object({ id: Type.String(), lid: Type.String() }),
      reply: Type.Object({ detail: Type.String() }),
      async handle({ act, params }) {
        await db.tenant([act.customerId], async (tx) => {
          const { id } = await findForm(tx, requireOwn, act.customerId, params.id);
          await deleteLink(tx, { clock, act, requireOwn }, id, params.lid);
        });
        return { detail: 'Link deleted.' };
      },
    }),
  ];
}

function readExpiry(clock: Clock, sent: string | null | undefined): Date {
  const now = clock.now().getTime();
  const moment = readMoment('expires_at', sent ?? undefined) ?? new Date(now + USUAL_DAYS * DAY_MS);
  const days = (moment.getTime() - now) / DAY_MS;
  if (!(days > 0 && days <= MOST_DAYS)) throw invalidField('expires_at', `takes a time in the next ${MOST_DAYS} days`);
  return moment;
}
