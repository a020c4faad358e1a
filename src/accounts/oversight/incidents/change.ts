import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { recordAct } from '../../audit/record.ts';
import type { IncidentState, Severity } from '../tables.ts';
import { entryPlace, type Incident, type SavedScope, type Told, toldPlace } from './incident.ts';
import '../tables.ts';

interface Keeping {
  clock: Clock;
  keys: CustomerVault;
}

/** What is known when an incident is opened, and may be set right while it is. */
export interface NewIncident {
  discoveredAt: Date;
  breachFrom: Date | null;
  breachTo: Date | null;
  severity: Severity;
  told: Told;
  scope: SavedScope | null;
}

/** Opens an incident; what happened is the first entry of its timeline. */
export async function createIncident(tx: Tx, { clock, keys }: Keeping, act: Act, wanted: NewIncident): Promise<string> {
  const id = timeOrderedId(clock);
  await tx
    .insertInto('incidents')
    .values({
      id,
      customer_id: act.customerId,
      ...columnsOf(keys, id, wanted),
      state: 'open',
      opened_at: clock.now(),
      opened_by_kind: act.actor.kind,
      opened_by: act.actor.id,
    })
    .execute();
  await writeEntry(tx, { clock, keys }, act, { incidentId: id, state: 'open', text: wanted.told.what_happened });
  await recordAct(tx, clock, act, { target: id, details: { severity: wanted.severity } });
  return id;
}

/** Sets right what is known of an incident that is not closed; that it was changed stands in the timeline. */
export async function updateIncident(
  tx: Tx,
  { clock, keys }: Keeping,
  act: Act,
  { incident, wanted }: { incident: Incident; wanted: NewIncident },
): Promise<void> {
  requireNotClosed(incident);
  await tx
    .updateTable('incidents')
    .set(columnsOf(keys, incident.id, wanted))
    .where('customer_id', '=', act.customerId)
    .where('id', '=', incident.id)
    .where('state', '<>', 'closed')
    .executeTakeFirst()
    .then(requireOne);
  const entry = { incidentId: incident.id, state: incident.state, text: `Set right: ${wanted.told.what_happened}` };
  await writeEntry(tx, { clock, keys }, act, entry);
  await recordAct(tx, clock, act, { target: incident.id, details: { severity: wanted.severity } });
}

/** Adds to the timeline of an incident, and perhaps takes it a step on. */
export async function addEntry(
  tx: Tx,
  { clock, keys }: Keeping,
  act: Act,
  { incident, text, state }: { incident: Incident; text: string; state: IncidentState },
): Promise<void> {
  requireNotClosed(incident);
  await tx
    .updateTable('incidents')
    .set({ state, closed_at: state === 'closed' ? clock.now() : null })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', incident.id)
    .where('state', '<>', 'closed')
    .executeTakeFirst()
    .then(requireOne);
  await writeEntry(tx, { clock, keys }, act, { incidentId: incident.id, state, text });
  await recordAct(tx, clock, act, { target: incident.id, details: { state } });
}

/** Somebody else may have closed it a moment ago. */
function requireOne({ numUpdatedRows }: { numUpdatedRows: bigint }): void {
  if (numUpdatedRows === 0n) throw new AppError('conflict', 'It is closed; open another one');
}

function requireNotClosed({ state }: Incident): void {
  if (state === 'closed') throw new AppError('conflict', 'It is closed; open another one');
}

async function writeEntry(
  tx: Tx,
  { clock, keys }: Keeping,
  act: Act,
  { incidentId, state, text }: { incidentId: string; state: IncidentState; text: string },
): Promise<void> {
  const id = timeOrderedId(clock);
  await tx
    .insertInto('incident_entries')
    .values({
      id,
      customer_id: act.customerId,
      incident_id: incidentId,
      at: clock.now(),
      author_kind: act.actor.kind,
      author_id: act.actor.id,
      state,
      told: keys.seal(entryPlace(id), text),
    })
    .execute();
}

function columnsOf(keys: CustomerVault, id: string, wanted: NewIncident) {
  return {
    discovered_at: wanted.discoveredAt,
    breach_from: wanted.breachFrom,
    breach_to: wanted.breachTo,
    severity: wanted.severity,
    scope: wanted.scope === null ? null : JSON.stringify(wanted.scope),
    told: keys.seal(toldPlace(id), JSON.stringify(wanted.told)),
  };
}
