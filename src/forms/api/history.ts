import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { findForm, selectForms } from '../definition/form.ts';
import { one, readPage } from '../definition/read-form-query.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { sumUp } from '../history/change.ts';
import { diffVersions } from '../history/diff.ts';
import { viewForStaff } from '../history/past-page.ts';
import { findPastVersion, listPastVersions, type PastVersion, readVersionNumber } from '../history/versions.ts';
import { renderReadOnly } from '../page/render/read-only.ts';
import { type ReadDeps, readSubmission } from '../submissions/read.ts';
import { submissionNotFound } from '../submissions/submission.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Id = Type.Object({ id: Type.String() });

const VersionReply = Type.Object({
  version: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  hash: Type.String({ description: 'SHA-256 of the definition, by which signatures name it' }),
});

const DiffReply = Type.Object({
  from: Type.Integer(),
  to: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      change: Type.String(),
      item: Text,
      label: Text,
      sentence: Type.String(),
      before: Text,
      after: Text,
    }),
  ),
});

// The dashboard shows it in a frame, measures and prints it. Nothing in it runs.
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin allow-modals',
].join('; ');

export interface HistoryDeps extends ReadDeps {
  findVersion: FindVersion;
}

/** What a form was: its versions, what changed between them, and submissions as their form looked then. */
export function historyEndpoints(deps: HistoryDeps): Endpoint[] {
  const { db, requireOwn, findVersion } = deps;

  /** Does something with a form of the caller. */
  const withForm = <T>(customerId: number, id: string, work: (tx: Tx, formId: string) => Promise<T>): Promise<T> =>
    db.tenant([customerId], async (tx) => work(tx, (await findForm(tx, requireOwn, customerId, id)).id));

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/versions',
      operation: 'listFormVersions',
      summary: 'The versions of a form, the newest first, each with what changed in it',
      access: { scope: 'forms' },
      audit: null,
      params: Id,
      query: Type.Object({
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 100 at most'),
      }),
      reply: Type.Object({
        data: Type.Array(Type.Object({ ...VersionReply.properties, changes: Type.String() })),
        total: Type.Integer(),
        page: Type.Integer(),
        items: Type.Integer(),
      }),
      async handle({ caller: { customerId }, params, query }) {
        const wanted = readPage(query);
        const { versions, before, total } = await withForm(customerId, params.id, (tx, formId) =>
          listPastVersions(tx, customerId, formId, wanted),
        );
        const data = versions.map((version, i) => ({
          ...describeVersion(version),
          changes: changesSince(versions[i + 1] ?? before, version),
        }));
        return { data, total, ...wanted };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/versions/diff',
      operation: 'diffFormVersions',
      summary: 'What changed between two versions of a form, in words; as plain text where that is asked for',
      access: { scope: 'forms' },
      audit: null,
      params: Id,
      query: Type.Object({ from: Parameter('The number of a version'), to: Parameter('The number of another') }),
      reply: Type.Unsafe<Static<typeof DiffReply> | string>(DiffReply),
      async handle({ caller: { customerId }, params, query, headers, setHeader }) {
        const [from, to] = [readNumber('from', query.from), readNumber('to', query.to)];
        const changes = await withForm(customerId, params.id, async (tx, formId) =>
          diffVersions(
            await findPastVersion(tx, customerId, formId, from),
            await findPastVersion(tx, customerId, formId, to),
          ),
        );
        setHeader('vary', 'accept');
        if (!/^\s*text\/plain\b/i.test(headers.accept ?? '')) return { from, to, changes };
        setHeader('content-type', 'text/plain; charset=utf-8');
        return changes.map(({ sentence }) => `${sentence}\n`).join('');
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/versions/:version',
      operation: 'readFormVersion',
      summary: 'One version of a form as it was written',
      access: { scope: 'forms' },
      audit: null,
      params: Type.Object({ id: Type.String(), version: Type.String() }),
      reply: Type.Object({
        data: Type.Object({
          ...VersionReply.properties,
          form_json: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
          form_html: Text,
          form_css: Text,
          signable: Type.Boolean(),
          signature_confirmation_label: Text,
        }),
      }),
      handle: async ({ caller: { customerId }, params }) =>
        withForm(customerId, params.id, async (tx, formId) => {
          const number = readVersionNumber('version', params.version);
          const version = await findPastVersion(tx, customerId, formId, number);
          return { data: { ...version, ...describeVersion(version) } };
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/submissions/:sid/page',
      operation: 'showSubmission',
      summary: 'A submission as a page: its form as it looked then, filled in, with nothing to change',
      access: { scope: 'forms' },
      audit: 'submission.read',
      params: Type.Object({ id: Type.String(), sid: Type.String() }),
      reply: Bytes,
      produces: 'text/html',
      async handle({ act, params }) {
        const submission = await readSubmission(deps, act, { formId: params.id, submissionId: params.sid });
        requireReadable(submission);
        const { customerId } = act;
        const { formId, formVersion } = submission;
        const form = await db.tenant([customerId], (tx) => selectForms(tx, customerId, [formId]).executeTakeFirst());
        const version = await findVersion({ id: formId, customerId }, formVersion);
        if (form === undefined || version === null) throw submissionNotFound();
        const nonce = randomBytes(16).toString('base64');
        return {
          status: 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': `${POLICY}; style-src 'nonce-${nonce}'`,
          },
          body: Buffer.from(renderReadOnly(viewForStaff(submission, version, form), nonce)),
        };
      },
    }),
  ];
}

function readNumber(field: string, wire: string | string[] | undefined): number {
  const text = one(wire);
  if (text === undefined) throw invalidField(field, 'is required');
  return readVersionNumber(field, text);
}

function describeVersion({ version, created_at, hash }: PastVersion): Static<typeof VersionReply> {
  return { version, created_at: created_at.toISOString(), hash };
}

function changesSince(before: PastVersion | null, version: PastVersion): string {
  return before === null ? 'The first version.' : sumUp(diffVersions(before, version));
}
