import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { invalidField } from '../../platform/errors.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Attempt } from '../log/attempts.ts';
import type { LogEntry, LogQuery } from '../log/list.ts';
import type { LoggedMessage } from '../log/read.ts';
import { LOG_STATES } from '../log/state.ts';
import { parseAddress } from '../submission/address.ts';

const DEFAULT_LIMIT = 50;
const MOST = 200;

const Moment = Type.String({ format: 'date-time' });
const MomentOrBlank = Type.Union([Moment, Type.Literal('')]);
const OrNull = Type.Union([Type.String(), Type.Null()]);

const Entry = Type.Object({
  sourceTrackingId: Type.String({ format: 'uuid' }),
  state: Type.Enum([...LOG_STATES]),
  mode: Type.Enum(['live', 'test']),
  from: Type.String(),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  createdAt: Moment,
  scheduledFor: Type.Union([Moment, Type.Null()]),
});

const AttemptReply = Type.Object({
  number: Type.Integer(),
  startedAt: Moment,
  finishedAt: Type.Union([Moment, Type.Null()]),
  outcome: OrNull,
  peer: OrNull,
  smtpResponse: OrNull,
  tls: Type.Union([
    Type.Object({
      version: Type.String(),
      cipher: Type.String(),
      policy: Type.String(),
      verified: Type.Boolean(),
      certificateSha256: OrNull,
      basis: OrNull,
      reason: OrNull,
    }),
    Type.Null(),
  ]),
});

const Whole = Type.Object({
  ...Entry.properties,
  headers: Type.Record(Type.String(), Type.String()),
  template: Type.Union([Type.Object({ id: Type.Integer(), version: Type.Integer() }), Type.Null()]),
  recipients: Type.Array(
    Type.Object({
      address: Type.String(),
      kind: Type.Enum(['to', 'cc', 'bcc']),
      state: Type.String(),
      portal: Type.Boolean({ description: 'whether a notice went out in place of the content' }),
      attempts: Type.Array(AttemptReply),
    }),
  ),
  timeline: Type.Array(
    Type.Object({
      at: Moment,
      event: Type.String(),
      recipient: OrNull,
      said: Type.Optional(Type.String({ description: 'what was reported, in the words of whoever did' })),
    }),
  ),
  content: Type.Union([
    Type.Object({
      text: OrNull,
      html: OrNull,
      attachments: Type.Array(
        Type.Object({ fileName: Type.String(), contentType: Type.String(), size: Type.Integer() }),
      ),
    }),
    Type.Null(),
  ]),
});

interface Deps {
  listMessages(act: Act, query: LogQuery): Promise<LogEntry[]>;
  readLoggedMessage(act: Act, id: string): Promise<LoggedMessage>;
}

/** GET /message_log, and one message of it. */
export function messageLogEndpoints({ listMessages, readLoggedMessage }: Deps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/message_log',
      operation: 'listMessages',
      summary: 'The messages that were accepted, the newest first',
      access: { scope: 'email' },
      audit: 'message-log.listed',
      query: Type.Object({
        state: Type.Optional(Type.Enum(['', ...LOG_STATES])),
        to: Type.Optional(Type.String({ description: 'only messages to this address' })),
        since: Type.Optional(MomentOrBlank),
        until: Type.Optional(MomentOrBlank),
        after: Type.Optional(Type.String({ description: 'the tracking id that the last page ended with' })),
        limit: Type.Optional(
          Type.String({ pattern: '^\\d*$', description: `1 to ${MOST}, ${DEFAULT_LIMIT} by default` }),
        ),
      }),
      reply: Type.Object({ data: Type.Array(Entry), next: OrNull }),
      async handle({ act, query }) {
        const limit = Math.min(Math.max(1, Number(query.limit || DEFAULT_LIMIT)), MOST);
        const entries = await listMessages(act, {
          state: query.state || null,
          to: readTo(query.to),
          since: readMoment('since', query.since || undefined),
          until: readMoment('until', query.until || undefined),
          after: query.after || null,
          limit,
        });
        const data = entries.map((entry) => ({
          ...entry,
          createdAt: entry.createdAt.toISOString(),
          scheduledFor: entry.scheduledFor?.toISOString() ?? null,
        }));
        return { data, next: entries.length < limit ? null : (entries.at(-1)?.sourceTrackingId ?? null) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/message_log/:id',
      operation: 'readMessage',
      summary: 'One message: its life, every attempt at it and, while it is kept, its content',
      access: { scope: 'email' },
      audit: 'message.read',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({ data: Whole }),
      handle: async ({ act, params }) => ({ data: describe(await readLoggedMessage(act, params.id)) }),
    }),
  ];
}

function readTo(text: string | undefined): string | null {
  if (text === undefined || text.trim() === '') return null;
  const address = parseAddress(text);
  if (address === null) throw invalidField('to', 'is not a valid address');
  return address.address;
}

function describe({ envelope, content, createdAt, scheduledFor, recipients, timeline, ...rest }: LoggedMessage) {
  return {
    ...rest,
    from: envelope.from.address,
    to: recipients.map(({ address }) => address),
    subject: envelope.subject,
    headers: envelope.headers,
    template: envelope.handling.template,
    createdAt: createdAt.toISOString(),
    scheduledFor: scheduledFor?.toISOString() ?? null,
    recipients: recipients.map((recipient) => ({
      ...recipient,
      attempts: recipient.attempts.map(describeAttempt),
    })),
    timeline: timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    content:
      content === null
        ? null
        : {
            text: content.text,
            html: content.html,
            attachments: content.attachments.map(({ fileName, contentType, content: bytes }) => ({
              fileName,
              contentType,
              size: bytes.length,
            })),
          },
  };
}

function describeAttempt({ startedAt, finishedAt, ...rest }: Attempt) {
  return { ...rest, startedAt: startedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
}
