import { Type } from 'typebox';
import type { Act } from '../../../platform/act.ts';
import { Bytes, type BytesReply } from '../../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import { contentDisposition } from '../../../platform/http/pages/content-disposition.ts';
import type { DashboardDeps } from '../../deps.ts';
import { type IncidentExport, incidentCsv, incidentJson, readIncidentExport } from '../../oversight/incident-export.ts';
import { recordShown } from '../../oversight/record-shown.ts';

const JSON_TYPE = 'application/vnd.carepost.incident+json';
const FORMATS = {
  json: {
    type: JSON_TYPE,
    write: (told: IncidentExport, now: Date) => JSON.stringify(incidentJson(told, now)),
  },
  csv: { type: 'text/csv; charset=utf-8', write: (told: IncidentExport) => incidentCsv(told) },
} as const;

/** Incidents as files: the timeline and everybody concerned, with all that a notice has to say (45 CFR 164.404(c)). */
export function incidentExportEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock } = deps;
  async function file(act: Act, id: string, format: keyof typeof FORMATS): Promise<BytesReply> {
    const told = await readIncidentExport(deps, act.customerId, id);
    const { incident, affected } = told;
    await db.tenant([act.customerId], (tx) =>
      recordShown(tx, clock, act, { target: incident.id, details: { format }, affected }),
    );
    const { type, write } = FORMATS[format];
    const name = `incident-${incident.id}.${format}`;
    const headers = { 'content-type': type, 'content-disposition': contentDisposition(name, name) };
    return { status: 200, headers, body: Buffer.from(write(told, clock.now())) };
  }
  return [
    endpoint({
      method: 'GET',
      path: '/incidents/:id/export',
      operation: 'exportIncident',
      summary: 'An incident, its timeline and the individuals concerned as JSON',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'incident.exported',
      params: Type.Object({ id: Type.String() }),
      reply: Bytes,
      produces: JSON_TYPE,
      handle: ({ act, params }) => file(act, params.id, 'json'),
    }),
    endpoint({
      method: 'GET',
      path: '/incidents/:id/individuals_csv',
      operation: 'exportIncidentCsv',
      summary: 'The individuals concerned by an incident as CSV, with what their notice has to say',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'incident.exported',
      params: Type.Object({ id: Type.String() }),
      reply: Bytes,
      produces: 'text/csv',
      handle: ({ act, params }) => file(act, params.id, 'csv'),
    }),
  ];
}
