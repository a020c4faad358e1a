import { Value } from 'typebox/value';
import { recordAct } from '../../accounts/index.ts';
import { createSenderRule, targetRulesOf } from '../../email/index.ts';
import {
  findDrip,
  type Journey,
  knownIn,
  listDrips,
  readSimulation,
  SimulationBody,
  simulate,
} from '../../marketing/index.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import { type Command, type Invocation, knownCustomer, operatorAct, UsageError, withInstallation } from '../command.ts';
import { listed } from '../listed.ts';
import { onCustomer } from '../on-customer.ts';
import { readFileOption } from '../read-file-option.ts';

export const dripList: Command = {
  name: 'drip list',
  usage: '--customer ID',
  about: 'list the drip campaigns of a customer',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, customerId }) => {
      const drips = await listDrips(tx, customerId, { fits: null, orderBy: 'created_at', order: 'desc' });
      return listed(
        [...drips],
        ({ id, state, name, subscriber_count: people }) => `${id}  ${state}  ${people} people  ${name}`,
      );
    }),
};

export const dripSimulate: Command = {
  name: 'drip simulate',
  takes: 'ID',
  usage: '--customer ID [--sample N] [--file JSON] [--start-at TIME] [--until TIME] [--opens] [--clicks]',
  about: 'show who would get what and when; the file holds what the API takes, such as people and events',
  options: {
    customer: { type: 'string' },
    sample: { type: 'string' },
    file: { type: 'string' },
    'start-at': { type: 'string' },
    until: { type: 'string' },
    opens: { type: 'boolean' },
    clicks: { type: 'boolean' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, vault, clock, config } = installation;
      const customerId = await knownCustomer(installation, invocation);
      const wanted = readSimulation(bodyOf(invocation), clock.now());
      const act = operatorAct(customerId, 'drip.simulated');
      const drip = await db.tenant([customerId], (tx) => findDrip(tx, requireOwn, customerId, dripId(invocation)));
      const keys = await vault.of(customerId);
      const targetRules = targetRulesOf(config);
      const senderRule = createSenderRule({ db, clock, mode: config.delivery });
      const outcome = await simulate({ db, keys, act, requireOwn, targetRules, senderRule }, drip, wanted);
      await db.tenant([customerId], async (tx) => {
        const subscribers = await knownIn(tx, customerId, outcome.journeys);
        await recordAct(tx, clock, act, { target: String(drip.id), details: { subscribers } });
      });
      return { json: { ...outcome }, text: outcome.journeys.flatMap(linesOf).join('\n') || 'Nobody' };
    }),
};

type Body = Parameters<typeof readSimulation>[0];

function bodyOf(invocation: Invocation): Body {
  const { options, flags } = invocation;
  const { sample, until, 'start-at': startAt } = options;
  return {
    ...(options.file === undefined ? {} : readBody(readFileOption(invocation, 'file').toString())),
    ...(sample === undefined ? {} : { sample: Number(sample) || 0 }),
    ...(startAt === undefined ? {} : { start_at: startAt }),
    ...(until === undefined ? {} : { until }),
    ...(flags.has('opens') ? { opens: true } : {}),
    ...(flags.has('clicks') ? { clicks: true } : {}),
  };
}

function readBody(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UsageError('--file takes a file with JSON');
  }
  if (!Value.Check(SimulationBody, body)) throw new UsageError('--file does not hold what the API takes');
  return body;
}

function dripId({ given }: Invocation): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new UsageError('drip simulate takes the id of a drip campaign');
  return Number(given);
}

function linesOf({ enrolment, stops }: Journey, person: number): string[] {
  if (enrolment === null) return [`person ${person} would not enter`];
  const lines = stops.map(
    ({ at, step, outcome, subject }) =>
      `${at.toISOString()}  person ${person}  ${step}${outcome === null ? '' : ` (${outcome})`}${subject === null ? '' : `  mail: ${inOneLine(subject)}`}`,
  );
  const { state, reason, due_at: dueAt, ended_at: endedAt } = enrolment;
  const end = `${(endedAt ?? dueAt)?.toISOString() ?? ''}  person ${person}  ${state === 'active' ? 'still waits' : (reason ?? state)}`;
  return [...lines, end];
}

/** A subject as the terminal of the operator may show it. */
function inOneLine(subject: string): string {
  return subject.replace(/\p{Cc}/gu, ' ');
}
