import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { recordAct } from '../../../accounts/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Parameter } from '../../../platform/http/body/parameter.ts';
import { Bytes } from '../../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { type ReportRow, writeReport } from '../../analytics/report-csv.ts';
import type { Wire } from '../../read-page.ts';
import type { MarketingDeps } from '../deps.ts';

type Asked = Record<string, ReturnType<typeof Parameter>>;

/** A table about mails, to be looked at in pages and to be taken away whole. */
export interface Report<Reply extends TSchema> {
  /** What it is called in the path and as a file. */
  name: string;
  /** What the operations are called, after `read` and `export`. */
  operation: string;
  summary: string;
  /** Whether it names people, so that looking at it is written down. */
  namesPeople: boolean;
  /** What chooses the rows. */
  parameters: Asked;
  /** What chooses the page and its order. */
  paging: Asked;
  reply: Reply;
  read(tx: Tx, customerId: number, wire: Wire, keys: CustomerVault): Promise<Static<Reply>>;
  /** Checks what is asked for; the rows are read as they are taken. */
  open(
    tx: Tx,
    customerId: number,
    wire: Wire,
    keys: CustomerVault,
  ): Promise<{ row: TObject; pages: AsyncIterable<ReportRow[]> }>;
}

/** The operations of a report: as JSON, and with `/csv` behind it as a file. */
export function reportEndpoints<Reply extends TSchema>(
  { db, reportsDb, vault, clock }: MarketingDeps,
  report: Report<Reply>,
): Endpoint[] {
  const { name, operation, summary, namesPeople, parameters, paging } = report;
  // Before the answer leaves, and where it can be written.
  const note = (act: Act, about: Parameters<typeof recordAct>[3]) =>
    db.tenant([act.customerId], (tx) => recordAct(tx, clock, act, about));
  return [
    endpoint({
      method: 'GET',
      path: `/analytics/${name}`,
      operation: `read${operation}`,
      summary,
      access: { scope: 'marketing' },
      audit: namesPeople ? 'report.read' : null,
      query: Type.Object({ ...parameters, ...paging }),
      reply: report.reply,
      async handle({ act, query }) {
        const { customerId } = act;
        const keys = await vault.of(customerId);
        const reply = await reportsDb.tenant([customerId], (tx) => report.read(tx, customerId, query, keys));
        if (namesPeople) await note(act, { target: name, details: { subscribers: subscribersIn(reply) } });
        return reply;
      },
    }),
    endpoint({
      method: 'GET',
      path: `/analytics/${name}/csv`,
      operation: `export${operation}`,
      summary: `${summary}; all of it, as CSV`,
      access: { scope: 'marketing', ...(namesPeople ? { fresh: true } : { role: 'reader' }) },
      audit: 'report.exported',
      query: Type.Object(parameters),
      reply: Bytes,
      produces: 'text/csv',
      async handle({ act, query }) {
        const { customerId } = act;
        const keys = await vault.of(customerId);
        const { row, pages } = await reportsDb.tenant([customerId], (tx) => report.open(tx, customerId, query, keys));
        await note(act, { target: name, ...(namesPeople && { details: { everybody: true } }) });
        const headers = {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${name}.csv"`,
        };
        return { status: 200, headers, body: writeReport(Object.keys(row.properties), pages) };
      },
    }),
  ];
}

/** Who stands in a page of a report. */
function subscribersIn(reply: unknown): string[] {
  const { data } = reply as { data: { subscriber_id?: string }[] };
  return data.flatMap(({ subscriber_id: id }) => id ?? []);
}
