import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import {
  INCIDENT_STATES,
  type Incident,
  type NewIncident,
  noticeDue,
  READER_KINDS,
  type SavedScope,
  SEVERITIES,
} from '../../../accounts/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { readMoment } from '../../../platform/http/body/read-moment.ts';
import { Moment, MomentOrNull, momentOf } from '../reply-parts.ts';
import { readScope } from './who-read.ts';

const LONGEST = 10_000;
const Words = Type.String({ maxLength: LONGEST });
const ActorKind = Type.Enum([...READER_KINDS]);

const Notice = {
  what_happened: Words,
  information: Type.String({ maxLength: LONGEST, description: 'the types of information concerned' }),
  steps: Type.String({ maxLength: LONGEST, description: 'what individuals should do' }),
  doing: Type.String({ maxLength: LONGEST, description: 'what is done to investigate, to mitigate and to protect' }),
  contact: Type.String({ maxLength: LONGEST, description: 'whom to ask' }),
};

const Scope = Type.Object({ actor_kind: ActorKind, actor_id: Type.String(), from: Moment, to: Moment });

export const IncidentBody = Type.Object({
  discovered_at: Type.String({ description: 'an RFC 3339 date and time' }),
  breach_from: Type.Union([Type.String(), Type.Null()]),
  breach_to: Type.Union([Type.String(), Type.Null()]),
  severity: Type.Enum([...SEVERITIES]),
  ...Notice,
  scope: Type.Union([
    Type.Object({
      actor_kind: ActorKind,
      actor_id: Type.String({ maxLength: 36 }),
      from: Type.String(),
      to: Type.String(),
    }),
    Type.Null(),
  ]),
});

const Line = {
  id: Type.String({ format: 'uuid' }),
  severity: Type.Enum([...SEVERITIES]),
  state: Type.Enum([...INCIDENT_STATES]),
  discovered_at: Moment,
  breach_from: MomentOrNull,
  breach_to: MomentOrNull,
  notice_due_at: Moment,
  days_left: Type.Integer(),
  opened_at: Moment,
  closed_at: MomentOrNull,
  scope: Type.Union([Scope, Type.Null()]),
};

export const IncidentLine = Type.Object(Line);
export const IncidentReply = Type.Object({
  ...Line,
  ...Notice,
  timeline: Type.Array(
    Type.Object({
      at: Moment,
      author: Type.Object({ kind: Type.String(), id: Type.String() }),
      state: Type.Enum([...INCIDENT_STATES]),
      text: Type.String(),
    }),
  ),
});

/** Reads what is known of an incident. */
export function readIncident(body: Static<typeof IncidentBody>, now: Date): NewIncident {
  const { what_happened, information, steps, doing, contact, severity } = body;
  const discoveredAt = readMoment('discovered_at', body.discovered_at);
  if (discoveredAt === null || discoveredAt > now) throw invalidField('discovered_at', 'takes a moment that has come');
  const breachFrom = readMoment('breach_from', body.breach_from ?? undefined);
  const breachTo = readMoment('breach_to', body.breach_to ?? undefined);
  if (breachFrom !== null && breachTo !== null && breachTo < breachFrom)
    throw invalidField('breach_to', 'comes after breach_from');
  if (what_happened.trim() === '') throw invalidField('what_happened', 'is required');
  const told = { what_happened, information, steps, doing, contact };
  return { discoveredAt, breachFrom, breachTo, severity, told, scope: body.scope === null ? null : saved(body.scope) };
}

/** Reads the same from a file, or throws naming the first field that does not fit. */
export function readIncidentFile(text: string, now: Date): NewIncident {
  const body = parse(text);
  if (Check(IncidentBody, body)) return readIncident(body, now);
  const [first] = Errors(IncidentBody, body);
  throw invalidField(first?.instancePath.slice(1).replaceAll('/', '.') || 'file', first?.message ?? 'does not fit');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('file', 'takes JSON');
  }
}

function saved(given: Static<typeof Scope>): SavedScope {
  const { actor, from, to } = readScope({ ...given, actor: given.actor_id });
  return { actor_kind: actor.kind, actor_id: actor.id, from: from.toISOString(), to: to.toISOString() };
}

/** An incident as lists show it, with the days that are left until those concerned have to be told. */
export function lineOf(incident: Incident, now: Date): Static<typeof IncidentLine> {
  const due = noticeDue(incident);
  return {
    id: incident.id,
    severity: incident.severity,
    state: incident.state,
    discovered_at: incident.discoveredAt.toISOString(),
    breach_from: momentOf(incident.breachFrom),
    breach_to: momentOf(incident.breachTo),
    notice_due_at: due.toISOString(),
    days_left: Math.ceil((due.getTime() - now.getTime()) / 86_400_000),
    opened_at: incident.openedAt.toISOString(),
    closed_at: momentOf(incident.closedAt),
    scope: incident.scope,
  };
}
