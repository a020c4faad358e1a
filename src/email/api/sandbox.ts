import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { InboxMessage } from '../sandbox/inbox.ts';
import { parseAddress } from '../submission/address.ts';

const Inbox = Type.Object({
  data: Type.Array(
    Type.Object({
      sourceTrackingId: Type.String(),
      from: Type.String(),
      to: Type.Array(Type.String()),
      subject: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      text: Type.String(),
      html: Type.String(),
      attachments: Type.Array(
        Type.Object({ fileName: Type.String(), contentType: Type.String(), size: Type.Integer() }),
      ),
      tls: Type.Object({ version: Type.String(), cipher: Type.String() }),
    }),
  ),
});

type ReadInbox = (act: Act, to: string | null) => Promise<InboxMessage[]>;

/** GET /sandbox/messages */
export function sandboxEndpoint({ readInbox }: { readInbox: ReadInbox }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/sandbox/messages',
    operation: 'readSandbox',
    summary: 'The newest messages in the sandbox inbox',
    access: { scope: 'email' },
    audit: 'sandbox.read',
    query: Type.Object({ to: Type.Optional(Type.String({ description: 'only messages to this address' })) }),
    reply: Inbox,
    async handle({ act, query }) {
      const to = query.to === undefined || query.to === '' ? null : parseAddress(query.to);
      if (to === null && query.to) throw invalidField('to', 'is not a valid address');
      return { data: await readInbox(act, to?.address ?? null) };
    },
  });
}
