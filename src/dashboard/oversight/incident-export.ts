import {
  findIncident,
  type Incident,
  type IncidentEntry,
  noticeDue,
  openIncident,
  type SavedScope,
  type Told,
} from '../../accounts/index.ts';
import { csvLine } from '../../platform/csv.ts';
import type { Database } from '../../platform/db/database.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { type Affected, findAffected } from './affected.ts';

interface Deps {
  db: Database;
  vault: Vault;
  requireOwn: OwnershipCheck;
}

/** An incident with all that a notice of it needs. */
export interface IncidentExport {
  incident: Incident;
  told: Told;
  timeline: IncidentEntry[];
  affected: Affected;
}

const NOBODY: Affected = { rows: 0, records: 0, nameless: [], people: [] };

/** Reads an incident, its timeline and whom it is about. */
export async function readIncidentExport(deps: Deps, customerId: number, id: string): Promise<IncidentExport> {
  const keys = await deps.vault.of(customerId);
  const opened = await deps.db.tenant([customerId], async (tx) => {
    const incident = await findIncident(tx, deps.requireOwn, customerId, id);
    return { incident, ...(await openIncident(tx, keys, incident)) };
  });
  const { scope } = opened.incident;
  return { ...opened, affected: scope === null ? NOBODY : await findAffected(deps, customerId, momentsOf(scope)) };
}

/** The export as JSON; docs/incident-export.schema.json describes it. */
export function incidentJson({ incident, told, timeline, affected }: IncidentExport, now: Date): object {
  return {
    format: 'carepost-incident/1',
    made_at: now.toISOString(),
    incident: {
      id: incident.id,
      customer_id: incident.customerId,
      severity: incident.severity,
      state: incident.state,
      opened_at: incident.openedAt.toISOString(),
      closed_at: incident.closedAt?.toISOString() ?? null,
      notice_due_at: noticeDue(incident).toISOString(),
      scope: incident.scope,
    },
    notice: {
      what_happened: told.what_happened,
      breach_from: incident.breachFrom?.toISOString() ?? null,
      breach_to: incident.breachTo?.toISOString() ?? null,
      discovered_at: incident.discoveredAt.toISOString(),
      information: told.information,
      steps: told.steps,
      doing: told.doing,
      contact: told.contact,
    },
    timeline: timeline.map(({ at, author, state, text }) => ({ at: at.toISOString(), author, state, text })),
    individuals: affected.people.map(({ first, last, ...person }) => ({
      ...person,
      first_at: first.toISOString(),
      last_at: last.toISOString(),
    })),
    nameless: affected.nameless.map(({ kind, id }) => ({ kind, id })),
  };
}

const COLUMNS = [
  'name',
  'email',
  'phone',
  'first read',
  'last read',
  'records',
  'what happened',
  'breach from',
  'breach to',
  'discovered',
  'types of information',
  'steps to take',
  'what is being done',
  'contact',
];

/** The individuals as CSV, each line with all that their notice has to say. */
export function incidentCsv({ incident, told, affected }: IncidentExport): string {
  const dates = [incident.breachFrom, incident.breachTo, incident.discoveredAt];
  const same = [
    told.what_happened,
    ...dates.map((date) => date?.toISOString() ?? ''),
    told.information,
    told.steps,
    told.doing,
    told.contact,
  ];
  const lines = affected.people.map(({ name, email, phone, first, last, records }) => [
    name ?? '',
    email ?? '',
    phone ?? '',
    first.toISOString(),
    last.toISOString(),
    records.map(({ kind, id }) => `${kind} ${id}`).join(' '),
    ...same,
  ]);
  return [COLUMNS, ...lines].map((line) => csvLine(line)).join('');
}

function momentsOf({ actor_kind: kind, actor_id: id, from, to }: SavedScope) {
  return { actor: { kind, id }, from: new Date(from), to: new Date(to) };
}
