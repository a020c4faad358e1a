import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { parseAddress } from '../../email/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { knownVariables } from '../mailings/known-variables.ts';
import { findMailing } from '../mailings/mailing.ts';
import { previewMailing } from '../mailings/preview/preview.ts';
import { sampleVariables } from '../mailings/preview/sample-person.ts';
import { MailingBody, readMailingChange } from '../mailings/read-mailing.ts';
import { sendTest } from '../mailings/send-test.ts';
import { readNumber } from '../read-page.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

/** Mailings tried out before they are sent. */
export function campaignMailingTrialEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, clock, requireOwn } = deps;
  return [
    endpoint({
      method: 'POST',
      path: '/campaign_mailings/preview',
      operation: 'previewCampaignMailing',
      summary: 'A mailing as one person would get it, and what should be known before it is sent; nothing is kept',
      access: { scope: 'marketing' },
      audit: 'mailing.previewed',
      body: Type.Object({
        ...MailingBody.properties,
        subscriber_id: Type.Optional(
          Type.Union([Type.String({ description: 'UUID or number; somebody made up by default' }), Type.Null()]),
        ),
      }),
      bodyLimit: 4 * 2 ** 20,
      reply: Type.Object({
        data: Type.Object({
          subject: Text,
          preheader: Text,
          html: Text,
          text: Text,
          problems: Type.Array(
            Type.Object({
              field: Type.String(),
              severity: Type.Enum(['error', 'warning', 'note']),
              message: Type.String(),
            }),
          ),
        }),
      }),
      async handle({ act, body }) {
        const change = readMailingChange(body);
        const { customerId } = act;
        const wanted = body.subscriber_id ?? null;
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const types = await listFieldTypes(tx, customerId);
          if (wanted === null) return { data: previewMailing(change, types, sampleVariables(keys, types)) };
          const { id, email } = await findSubscriber(tx, requireOwn, customerId, wanted, 'subscriber_id');
          const person = await knownVariables(tx, keys, customerId, { subscriberId: id, email: email ?? '' });
          await recordAct(tx, clock, act, { target: id });
          return { data: previewMailing(change, types, person) };
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/campaign_mailings/:id/send_test_email',
      operation: 'sendTestMailing',
      summary: 'Send the mailing to one address, marked as a test, with the address out of sight of logs',
      access: { scope: 'marketing', phi: true },
      audit: 'mailing.tested',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ to_email: Type.String({ description: 'Who gets it' }) }),
      idempotent: true,
      reply: Type.Null(),
      status: 204,
      async handle({ act, caller, params, body, idempotency: claim }) {
        const to = parseAddress(body.to_email);
        if (to === null) throw invalidField('to_email', 'takes an address');
        const mailing = await db.tenant([act.customerId], (tx) =>
          findMailing(tx, requireOwn, act.customerId, readNumber('id', params.id)),
        );
        await sendTest(deps, act, caller, mailing, to.address, claim);
        return null;
      },
    }),
  ];
}
