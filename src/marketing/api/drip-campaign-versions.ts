import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { type Drip, findDrip } from '../drip/campaigns/drip.ts';
import { moveToVersion } from '../drip/campaigns/move.ts';
import { publishVersion } from '../drip/campaigns/publish.ts';
import { readShare } from '../drip/campaigns/read-drip.ts';
import { findVersion, type Version } from '../drip/campaigns/version.ts';
import { type ListedVersion, listVersions } from '../drip/campaigns/versions.ts';
import { MOST_STEPS } from '../drip/graph/graph.ts';
import { readNumber, readVersionNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';
import { DripReply, describeDrip, describeSteps, STEPS } from './drip-reply.ts';

const Id = Type.Object({ id: Type.String() });
const Number = Type.Union([Type.Integer(), Type.String()]);
const VERSION = {
  version: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  live: Type.Boolean({ description: 'Whether newcomers go by it' }),
  trial_share: Type.Union([Type.Integer({ description: 'How many of a hundred newcomers try it' }), Type.Null()]),
};
const VersionReply = Type.Object({
  ...VERSION,
  waiting: Type.Integer({ description: 'How many are on their way by it' }),
});

/** The versions of a drip campaign: looked at, published, and what people are moved to. */
export function dripCampaignVersionEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, idempotency, requireOwn, onDrip } = deps;
  const found = (tx: Tx, customerId: number, id: string, lock = false) =>
    findDrip(tx, requireOwn, customerId, readNumber('id', id), { lock });

  return [
    endpoint({
      method: 'POST',
      path: '/drip_campaigns/:id/publish',
      operation: 'publishDripCampaign',
      summary: 'Let newcomers go by a version: all of them, or a share to try it out',
      access: { scope: 'marketing' },
      audit: 'drip.published',
      params: Id,
      body: Type.Object({
        version: Type.Optional(Type.Union([Number, Type.Null()])),
        share: Type.Integer({ description: '1 to 99 for a trial, 100 for everybody, 0 to end the trial' }),
      }),
      idempotent: true,
      reply: DripReply,
      async handle({ act, caller, params, body, idempotency: claim }) {
        const senderRule = deps.senderRule.of(caller);
        const share = readShare('share', body.share, 0);
        const reply = await db.tenant([act.customerId], async (tx) => {
          const drip = await found(tx, act.customerId, params.id, true);
          const version = readVersion('version', body.version) ?? drip.version;
          const published = await publishVersion(tx, { ...deps, senderRule, act }, drip, version, share);
          const described = await describeDrip(tx, published);
          await idempotency.keepWith(tx, claim, { status: 200, body: described });
          return described;
        });
        onDrip();
        return reply;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/drip_campaigns/:id/move',
      operation: 'moveDripCampaign',
      summary: 'Let people of older versions go on by a newer one; the jid names the job',
      access: { scope: 'marketing' },
      audit: 'drip.moved',
      params: Id,
      body: Type.Object({
        from_version: Type.Optional(Type.Union([Number, Type.Null()])),
        to_version: Number,
        steps: Type.Optional(
          Type.Union([
            Type.Record(Type.String(), Type.String(), { description: 'Where people go on, by where they stand' }),
            Type.Null(),
          ]),
        ),
      }),
      idempotent: true,
      reply: Type.Object({ data: Type.Object({ jid: Type.String() }) }),
      async handle({ act, caller, params, body, idempotency: claim }) {
        const senderRule = deps.senderRule.of(caller);
        const steps = body.steps ?? {};
        if (Object.keys(steps).length > MOST_STEPS) throw invalidField('steps', `takes at most ${MOST_STEPS}`);
        const wish = {
          fromVersion: readVersion('from_version', body.from_version),
          toVersion: readVersionNumber('to_version', body.to_version),
          steps,
        };
        const keys = await vault.of(act.customerId);
        const reply = await db.tenant([act.customerId], async (tx) => {
          const drip = await found(tx, act.customerId, params.id, true);
          const moved = { data: { jid: await moveToVersion(tx, { ...deps, senderRule, keys, act }, drip, wish) } };
          await idempotency.keepWith(tx, claim, { status: 200, body: moved });
          return moved;
        });
        onDrip();
        return reply;
      },
    }),
    endpoint({
      method: 'GET',
      path: '/drip_campaigns/:id/versions',
      operation: 'listDripCampaignVersions',
      summary: 'The versions of a drip campaign, the newest first',
      access: { scope: 'marketing' },
      audit: null,
      params: Id,
      reply: Type.Object({ data: Type.Array(VersionReply) }),
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const drip = await found(tx, customerId, params.id);
          return { data: (await listVersions(tx, drip)).map((version) => describe(drip, version)) };
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/drip_campaigns/:id/versions/:version',
      operation: 'readDripCampaignVersion',
      summary: 'The steps of one version',
      access: { scope: 'marketing' },
      audit: null,
      params: Type.Object({ id: Type.String(), version: Type.String() }),
      reply: Type.Object({ data: Type.Object({ ...VERSION, ...STEPS }) }),
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const drip = await found(tx, customerId, params.id);
          const version = await findVersion(tx, drip, readVersionNumber('version', params.version));
          return { data: { ...describeVersion(drip, version), ...describeSteps(version.graph) } };
        }),
    }),
  ];
}

function readVersion(name: string, given: Static<typeof Number> | null | undefined): number | null {
  return given === undefined || given === null ? null : readVersionNumber(name, given);
}

function describe(drip: Drip, version: ListedVersion) {
  return { ...describeVersion(drip, version), waiting: version.waiting };
}

function describeVersion(drip: Drip, { version, created_at: createdAt }: Pick<Version, 'version' | 'created_at'>) {
  return {
    version,
    created_at: createdAt.toISOString(),
    live: drip.live_version === version,
    trial_share: drip.trial_version === version ? drip.trial_share : null,
  };
}
