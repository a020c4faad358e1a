import { readFile, writeFile } from 'node:fs/promises';
import { createIncident, INSTALLATION, listIncidents, noticeDue, recordAct } from '../accounts/index.ts';
import { incidentCsv, incidentJson, readIncidentExport, readIncidentFile } from '../dashboard/index.ts';
import type { Installation } from '../installation.ts';
import { requireOwn } from '../platform/http/ownership.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from './command.ts';

export const incidentOpen: Command = {
  name: 'incident open',
  usage: '[--customer ID] --file FILE',
  about: 'open an incident of a customer, or of the installation, from a JSON file with what is known',
  options: { customer: { type: 'string' }, file: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, vault, clock } = installation;
      const customerId = await whoseIncidents(installation, invocation);
      const file = await readFile(required(invocation, 'file'), 'utf8').catch(() => {
        throw new UsageError('--file takes a file that can be read');
      });
      const wanted = readIncidentFile(file, clock.now());
      const keys = await vault.of(customerId);
      const act = operatorAct(customerId, 'incident.opened');
      const id = await db.tenant([customerId], (tx) => createIncident(tx, { clock, keys }, act, wanted));
      return { json: { id }, text: `Incident ${id} is open.` };
    }),
};

export const incidentList: Command = {
  name: 'incident list',
  usage: '[--customer ID]',
  about: 'the incidents of a customer, or of the installation, with the day by which those concerned have to be told',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await whoseIncidents(installation, invocation);
      const span = { from: new Date(0), to: new Date(installation.clock.now().getTime() + 60_000) };
      const incidents = await listIncidents(installation.db, { customerId, ...span });
      const data = incidents.map((incident) => ({ ...incident, noticeDue: noticeDue(incident) }));
      const lines = data.map(
        ({ id, state, severity, discoveredAt, noticeDue: due }) =>
          `${id}\t${state}\t${severity}\tdiscovered ${discoveredAt.toISOString()}\tnotice by ${due.toISOString()}`,
      );
      return { json: { data }, text: lines.join('\n') };
    }),
};

export const incidentExport: Command = {
  name: 'incident export',
  usage: 'ID [--customer ID] --out FILE [--csv]',
  about: 'write an incident, its timeline and the individuals concerned to a new file',
  options: { customer: { type: 'string' }, out: { type: 'string' }, csv: { type: 'boolean' } },
  run: (invocation) => {
    const [id] = invocation.positionals;
    if (id === undefined) throw new UsageError('incident export takes the id of an incident');
    const out = required(invocation, 'out');
    return withInstallation(invocation.config, async (installation) => {
      const { db, clock } = installation;
      const customerId = await whoseIncidents(installation, invocation);
      const told = await readIncidentExport({ ...installation, requireOwn }, customerId, id);
      const format = invocation.flags.has('csv') ? 'csv' : 'json';
      const people = told.affected.people.length;
      const act = operatorAct(customerId, 'incident.exported');
      await db.tenant([customerId], (tx) => recordAct(tx, clock, act, { target: id, details: { format, people } }));
      const text =
        format === 'csv' ? incidentCsv(told) : `${JSON.stringify(incidentJson(told, clock.now()), null, 2)}\n`;
      await writeFile(out, text, { flag: 'wx', mode: 0o600 }).catch(() => {
        throw new UsageError('--out takes a file that is not there yet, in a folder that is');
      });
      return { json: { file: out, people }, text: `${out}: ${people} people` };
    });
  },
};

/** The customer that is named, or else the installation itself. */
async function whoseIncidents(installation: Installation, invocation: Invocation): Promise<number> {
  return invocation.options.customer === undefined ? INSTALLATION : knownCustomer(installation, invocation);
}
