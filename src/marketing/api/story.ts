import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readConsentStory } from '../consent/story.ts';
import { dripsOf } from '../story/drips-of.ts';
import { mailingsOf } from '../story/mailings-of.ts';
import { readLists } from '../subscribers/details.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import type { MarketingDeps } from './deps.ts';

const MOST = 1_000;
const Text = Type.Union([Type.String(), Type.Null()]);
const Time = Type.String({ format: 'date-time' });
const TimeOrNot = Type.Union([Time, Type.Null()]);

const StoryReply = Type.Object({
  subscriber_id: Type.String({ format: 'uuid' }),
  lists: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), unsubscribed: Type.Boolean(), pending: Type.Boolean() }),
  ),
  mailings: Type.Array(
    Type.Object({
      campaign_mailing_id: Type.String(),
      campaign_mailing_send_id: Type.String(),
      subject: Type.String(),
      state: Type.String(),
      rule: Text,
      settled_at: TimeOrNot,
      opened_at: TimeOrNot,
      clicked_at: TimeOrNot,
      unsubscribed_at: TimeOrNot,
    }),
  ),
  drip_campaigns: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      state: Type.String(),
      reason: Text,
      step: Type.String(),
      entered_at: Time,
      ended_at: TimeOrNot,
    }),
  ),
  submissions: Type.Array(Type.Object({ form_id: Type.String(), submission_id: Type.String(), submitted_at: Time })),
  consent: Type.Array(
    Type.Object({
      at: Time,
      change: Type.String(),
      source: Type.String(),
      subscription_list_id: Text,
      subscription_list_name: Text,
      text: Text,
      evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});

/** GET /subscribers/{id}/story: all that there is about one person. */
export function storyEndpoint({ db, vault, clock, requireOwn, submissionsOf }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/subscribers/:id/story',
    operation: 'readSubscriberStory',
    summary:
      'The lists, mailings, drip campaigns, submissions and consent of a subscriber, the latest thousand of each',
    access: { scope: 'marketing' },
    audit: 'subscriber.story-read',
    params: Type.Object({ id: Type.String({ description: 'UUID or number' }) }),
    reply: Type.Object({ data: StoryReply }),
    async handle({ act, params }) {
      const { customerId } = act;
      const keys = await vault.of(customerId);
      return db.tenant([customerId], async (tx) => {
        const { id, email } = await findSubscriber(tx, requireOwn, customerId, params.id);
        const owner = { customerId, subscriberId: id };
        const lists = await readLists(tx, owner);
        const mailings = await mailingsOf(tx, owner, MOST);
        const drips = await dripsOf(tx, owner, MOST);
        const submissions = email === null ? [] : await submissionsOf(tx, keys, { customerId, email }, MOST);
        const consent = await readConsentStory(tx, customerId, id);
        await recordAct(tx, clock, act, { target: id });
        return {
          data: {
            subscriber_id: id,
            lists: lists.slice(-MOST),
            mailings: mailings.map((each) => ({
              campaign_mailing_id: String(each.mailingId),
              campaign_mailing_send_id: String(each.sendId),
              subject: each.subject,
              state: each.state,
              rule: each.rule,
              settled_at: each.settledAt?.toISOString() ?? null,
              opened_at: each.openedAt?.toISOString() ?? null,
              clicked_at: each.clickedAt?.toISOString() ?? null,
              unsubscribed_at: each.unsubscribedAt?.toISOString() ?? null,
            })),
            drip_campaigns: drips.map(({ dripId, name, state, reason, step, enteredAt, endedAt }) => ({
              id: String(dripId),
              name,
              state,
              reason,
              step,
              entered_at: enteredAt.toISOString(),
              ended_at: endedAt?.toISOString() ?? null,
            })),
            submissions: submissions.map(({ formId, submissionId, submittedAt }) => ({
              form_id: formId,
              submission_id: submissionId,
              submitted_at: submittedAt.toISOString(),
            })),
            consent: consent.slice(-MOST).map(({ at, change, source, listId, listName, text, evidence }) => ({
              at: at.toISOString(),
              change,
              source,
              subscription_list_id: listId === null ? null : String(listId),
              subscription_list_name: listName,
              text,
              evidence,
            })),
          },
        };
      });
    },
  });
}
