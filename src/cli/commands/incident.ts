import { createIncident, INSTALLATION, listIncidents, noticeDue } from '../../accounts/index.ts';
import { incidentCsv, incidentJson, readIncidentExport, readIncidentFile, recordShown } from '../../dashboard/index.ts';
import type { Installation } from '../../installation.ts';
import { requireOwn } from '../../platform/http/ownership.ts';
import { type Command, type Invocation, knownCustomer, operatorAct, required, withInstallation } from '../command.ts';
import { listed } from '../listed.ts';
import { intoNewFile } from '../new-file.ts';
import { onCustomer } from '../on-customer.ts';
import { readFileOption } from '../read-file-option.ts';

export const incidentOpen: Command = {
  name: 'incident open',
  usage: '[--customer ID] --file FILE',
  about: 'open an incident of a customer, or of the installation, from a JSON file with what is known',
  options: { customer: { type: 'string' }, file: { type: 'string' } },
  run: (invocation) =>
    onCustomer(
      invocation,
      async ({ tx, clock, keys, act }) => {
        const wanted = readIncidentFile(readFileOption(invocation, 'file').toString(), clock.now());
        const id = await createIncident(tx, { clock, keys: await keys() }, act('incident.opened'), wanted);
        return { json: { id }, text: `Incident ${id} is open.` };
      },
      whoseIncidents,
    ),
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
      const rows = incidents.map((incident) => ({ ...incident, noticeDue: noticeDue(incident) }));
      return listed(
        rows,
        ({ id, state, severity, discoveredAt, noticeDue: due }) =>
          `${id}\t${state}\t${severity}\tdiscovered ${discoveredAt.toISOString()}\tnotice by ${due.toISOString()}`,
      );
    }),
};

export const incidentExport: Command = {
  name: 'incident export',
  takes: 'ID',
  usage: '[--customer ID] --out FILE [--csv]',
  about: 'write an incident, its timeline and the individuals concerned to a new file',
  options: { customer: { type: 'string' }, out: { type: 'string' }, csv: { type: 'boolean' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, clock } = installation;
      const customerId = await whoseIncidents(installation, invocation);
      const act = operatorAct(customerId, 'incident.exported');
      const format = invocation.flags.has('csv') ? 'csv' : 'json';
      const people = await intoNewFile(invocation, 'out', async (write) => {
        const told = await readIncidentExport({ ...installation, requireOwn }, customerId, invocation.given);
        const { incident, affected } = told;
        await db.tenant([customerId], (tx) =>
          recordShown(tx, clock, act, { target: incident.id, details: { format }, affected }),
        );
        await write(
          format === 'csv' ? incidentCsv(told) : `${JSON.stringify(incidentJson(told, clock.now()), null, 2)}\n`,
        );
        return affected.people.length;
      });
      const out = required(invocation, 'out');
      return { json: { file: out, people }, text: `${out}: ${people} people` };
    }),
};

/** The customer that is named, or else the installation itself. */
async function whoseIncidents(installation: Installation, invocation: Invocation): Promise<number> {
  return invocation.options.customer === undefined ? INSTALLATION : knownCustomer(installation, invocation);
}
