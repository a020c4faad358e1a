import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/access.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { createBulkJob } from '../bulk/bulk-job.ts';
import { type Drip, findDrip } from '../drip/campaigns/drip.ts';
import { requireSendersToNewcomers } from '../drip/campaigns/sends.ts';
import { holdRunning } from '../drip/engine/claim.ts';
import { leave } from '../drip/engine/leave.ts';
import { createVersions } from '../drip/engine/load-version.ts';
import { findEnrolment } from '../drip/enrolments/enrolment.ts';
import { enterPeople } from '../drip/enrolments/enter.ts';
import { countEnrolments, listEnrolments } from '../drip/enrolments/list.ts';
import { readPath } from '../drip/enrolments/path.ts';
import { EntryBody, readCommon, readNamed } from '../drip/enrolments/read-entry.ts';
import { ENROLMENT_PARAMETERS, readEnrolmentFilter } from '../drip/enrolments/read-filter.ts';
import { pageInfo, readNumber, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';
import {
  describeEnrollment,
  describePath,
  EnrollmentReply,
  EnrollmentWithPathReply,
  EnteredReply,
} from './drip-enrollment-reply.ts';

const PAGE = { items: 50, most: 1_000 };
const Id = Type.Object({ id: Type.String() });
const OneId = Type.Object({ id: Type.String(), enrollment_id: Type.String() });
const shared = { access: { scope: 'marketing' } } as const;

/** Who is and was in a drip. */
export function dripEnrollmentEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, clock, idempotency, requireOwn, senderRule, onDrip } = deps;
  const versions = createVersions();

  const found = (tx: Tx, { customerId }: Act, id: string): Promise<Drip> =>
    findDrip(tx, requireOwn, customerId, readNumber('id', id));

  /** Lets people into a drip that runs: those who are named at once, others in a job. */
  async function letIn(
    tx: Tx,
    { keys, act, caller }: { keys: CustomerVault; act: Act; caller: Caller },
    { id: dripId, state }: Drip,
    body: Static<typeof EntryBody>,
  ) {
    const { customerId } = act;
    const people = await readNamed(tx, requireOwn, customerId, body);
    const selection = people === null ? await readCommon(tx, requireOwn, customerId, body) : null;
    const drip = await holdRunning(tx, { customerId, dripId });
    if (drip === null) throw new AppError('conflict', `Nobody can enter a drip campaign that is ${state}`);
    await requireSendersToNewcomers(tx, senderRule.of(caller), drip);
    if (selection !== null) {
      return { jid: await createBulkJob(tx, { clock, keys, act }, 'enrol', { selection, dripId }) };
    }
    const entered = await enterPeople(tx, { clock, versions }, drip, people ?? []);
    const details = { people: entered.enrolled.length, left_out: entered.left_out.length };
    await recordAct(tx, clock, act, { target: String(dripId), details });
    return entered;
  }

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/drip_campaigns/:id/enrollments',
      operation: 'listDripEnrollments',
      summary: 'Who is or was in a drip campaign, the newest first',
      audit: 'drip_enrollments.listed',
      params: Id,
      query: Type.Object({
        ...ENROLMENT_PARAMETERS,
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 1000 at most'),
      }),
      reply: Type.Object({ data: Type.Array(EnrollmentReply), page_info: PageInfo }),
      async handle({ act, params, query }) {
        const page = readPage(query, PAGE);
        return db.tenant([act.customerId], async (tx) => {
          const drip = await found(tx, act, params.id);
          const filter = await readEnrolmentFilter(tx, requireOwn, drip, query);
          const enrolments = await listEnrolments(tx, drip, filter, page);
          const total = await countEnrolments(tx, drip, filter);
          const details = { people: enrolments.length, subscribers: enrolments.map((each) => each.subscriber_id) };
          await recordAct(tx, clock, act, { target: String(drip.id), details });
          return { data: enrolments.map((each) => describeEnrollment(drip, each)), page_info: pageInfo(total, page) };
        });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/drip_campaigns/:id/enrollments',
      operation: 'createDripEnrollments',
      summary: 'Let people enter a drip campaign: named ones at once, those of a list or segment in a bulk job',
      access: { scope: 'marketing', phi: true },
      audit: 'drip_enrollments.created',
      params: Id,
      body: EntryBody,
      idempotent: true,
      reply: Type.Object({ data: Type.Union([EnteredReply, Type.Object({ jid: Type.String({ format: 'uuid' }) })]) }),
      async handle({ act, caller, params, body, idempotency: claim }) {
        const { customerId } = act;
        const keys = await vault.of(customerId);
        const reply = await db.tenant([customerId], async (tx) => {
          const told = { data: await letIn(tx, { keys, act, caller }, await found(tx, act, params.id), body) };
          await idempotency.keepWith(tx, claim, { status: 200, body: told });
          return told;
        });
        onDrip();
        return reply;
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/drip_campaigns/:id/enrollments/:enrollment_id',
      operation: 'readDripEnrollment',
      summary: 'How somebody came to where they are in a drip campaign, the latest thousand steps',
      audit: 'drip_enrollment.read',
      params: OneId,
      reply: Type.Object({ data: EnrollmentWithPathReply }),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const drip = await found(tx, act, params.id);
          const enrolment = await findEnrolment(tx, requireOwn, drip, params.enrollment_id);
          const { attributes, ...described } = describeEnrollment(drip, enrolment);
          const path = describePath(await readPath(tx, drip, enrolment));
          await recordAct(tx, clock, act, { target: enrolment.id, details: { subscriber: enrolment.subscriber_id } });
          return { data: { ...described, attributes: { ...attributes, path } } };
        }),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/drip_campaigns/:id/enrollments/:enrollment_id',
      operation: 'deleteDripEnrollment',
      summary: 'Take somebody out of a drip campaign; that they were in it is remembered',
      audit: 'drip_enrollment.removed',
      params: OneId,
      reply: Type.Object({}),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const { customerId } = act;
          const drip = await found(tx, act, params.id);
          const { id, subscriber_id: person } = await findEnrolment(tx, requireOwn, drip, params.enrollment_id);
          const left = await leave(tx, { customerId, ids: [id], reason: 'removed', at: clock.now() });
          if (left === 0) throw new AppError('conflict', 'They have left the drip campaign or reached its end already');
          await recordAct(tx, clock, act, { target: id, details: { drip: String(drip.id), subscriber: person } });
          return {};
        }),
    }),
  ];
}
