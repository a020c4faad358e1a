import { type Static, Type } from 'typebox';
import {
  addEntry,
  createIncident,
  findIncident,
  INCIDENT_STATES,
  listIncidents,
  openIncident,
  recordAct,
  updateIncident,
} from '../../../accounts/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { DashboardDeps } from '../../deps.ts';
import { IncidentBody, IncidentLine, IncidentReply, lineOf, readIncident } from './incident-schemas.ts';
import type { Place } from './places.ts';

const Id = Type.Object({ id: Type.String() });

/** What went wrong, since when it is known, and what was done about it. */
export function incidentEndpoints(deps: DashboardDeps, { path, role, named }: Place): Endpoint[] {
  const { db, clock, vault, idempotency, requireOwn } = deps;
  const access = { scope: 'people', role } as const;

  async function describe(
    tx: Tx,
    keys: CustomerVault,
    { customerId, id }: { customerId: number; id: string },
  ): Promise<Static<typeof IncidentReply>> {
    const incident = await findIncident(tx, requireOwn, customerId, id);
    const { told, timeline } = await openIncident(tx, keys, incident);
    const entries = timeline.map(({ at, author, state, text }) => ({ at: at.toISOString(), author, state, text }));
    return { ...lineOf(incident, clock.now()), ...told, timeline: entries };
  }

  /** What is told of an incident stands in its own rows alone: of an answer its id is kept. */
  async function answerAgain({ act: { customerId } }: { act: Act }, kept: unknown) {
    const { id } = kept as { id: string };
    const keys = await vault.of(customerId);
    return db.tenant([customerId], (tx) => describe(tx, keys, { customerId, id }));
  }

  return [
    endpoint({
      method: 'GET',
      path: `${path}/incidents`,
      operation: `list${named}Incidents`,
      summary: 'The incidents, with the days that are left until those concerned have to be told',
      access,
      audit: null,
      reply: Type.Object({ data: Type.Array(IncidentLine) }),
      async handle({ act: { customerId } }) {
        const ever = { from: new Date(0), to: new Date(clock.now().getTime() + 86_400_000) };
        const incidents = await listIncidents(db, { customerId, ...ever });
        return { data: incidents.map((incident) => lineOf(incident, clock.now())) };
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/incidents`,
      operation: `create${named}Incident`,
      summary: 'Open an incident',
      access,
      audit: 'incident.opened',
      status: 201,
      body: IncidentBody,
      idempotent: true,
      reply: IncidentReply,
      async handle({ act, body, idempotency: claim }) {
        const wanted = readIncident(body, clock.now());
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const id = await createIncident(tx, { clock, keys }, act, wanted);
          await idempotency.keepWith(tx, claim, { status: 201, body: { id } });
          return describe(tx, keys, { customerId: act.customerId, id });
        });
      },
      answerAgain,
    }),
    endpoint({
      method: 'GET',
      path: `${path}/incidents/:id`,
      operation: `read${named}Incident`,
      summary: 'An incident with its timeline',
      access,
      audit: 'incident.read',
      params: Id,
      reply: IncidentReply,
      async handle({ act, params }) {
        const { customerId } = act;
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const incident = await describe(tx, keys, { customerId, id: params.id });
          await recordAct(tx, clock, act, { target: incident.id });
          return incident;
        });
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${path}/incidents/:id`,
      operation: `update${named}Incident`,
      summary: 'Set right what is known of an incident; its timeline says that it was',
      access,
      audit: 'incident.updated',
      params: Id,
      body: IncidentBody,
      reply: IncidentReply,
      async handle({ act, params, body }) {
        const { customerId } = act;
        const wanted = readIncident(body, clock.now());
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const incident = await findIncident(tx, requireOwn, customerId, params.id);
          await updateIncident(tx, { clock, keys }, act, { incident, wanted });
          return describe(tx, keys, { customerId, id: incident.id });
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/incidents/:id/entries`,
      operation: `add${named}IncidentEntry`,
      summary: 'Add to the timeline of an incident, and perhaps take it a step on',
      access,
      audit: 'incident.noted',
      params: Id,
      body: Type.Object({
        text: Type.String({ maxLength: 10_000 }),
        state: Type.Optional(Type.Enum([...INCIDENT_STATES])),
      }),
      idempotent: true,
      reply: IncidentReply,
      async handle({ act, params, body, idempotency: claim }) {
        const { customerId } = act;
        const text = body.text.trim();
        if (text === '') throw invalidField('text', 'is required');
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const incident = await findIncident(tx, requireOwn, customerId, params.id);
          await addEntry(tx, { clock, keys }, act, { incident, text, state: body.state ?? incident.state });
          await idempotency.keepWith(tx, claim, { status: 200, body: { id: incident.id } });
          return describe(tx, keys, { customerId, id: incident.id });
        });
      },
      answerAgain,
    }),
  ];
}
