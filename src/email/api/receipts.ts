import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Receipt } from '../receipts/read.ts';

const Tls = Type.Object({
  version: Type.String(),
  cipher: Type.String(),
  policy: Type.String(),
  verified: Type.Boolean(),
});

const Delivery = Type.Object({
  recipient: Type.String(),
  status: Type.Object({
    deliveryStatus: Type.String(),
    deliveryTime: Type.Optional(Type.String({ description: 'RFC 2822' })),
    openedStatus: Type.Optional(Type.String()),
    openedTime: Type.Optional(Type.String({ description: 'RFC 2822' })),
  }),
  attempts: Type.Integer(),
  smtpResponse: Type.Optional(Type.String()),
  tls: Type.Optional(Tls),
});

const Message = Type.Object({
  id: Type.String(),
  message_deliveries: Type.Array(Delivery),
  template: Type.Optional(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
  total_opens: Type.Optional(Type.Integer()),
  distinct_opens: Type.Optional(Type.Integer()),
  machine_opens: Type.Optional(Type.Integer()),
  total_click_count: Type.Optional(Type.Integer()),
  clicks_per_link: Type.Optional(Type.Array(Type.Object({ target_url: Type.String(), click_count: Type.Integer() }))),
  unsubscribed: Type.Optional(Type.Boolean()),
});

/** GET /message_receipt */
export function receiptEndpoint({ readReceipt }: { readReceipt(act: Act, id: string): Promise<Receipt> }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/message_receipt',
    operation: 'readReceipt',
    summary: 'What became of a message',
    access: { scope: 'email' },
    audit: 'receipt.read',
    query: Type.Object({ sourceTrackingId: Parameter('the tracking id of a message') }),
    reply: Type.Object({ sourceTrackingId: Type.String(), data: Type.Object({ message: Message }) }),
    async handle({ act, query }) {
      const sourceTrackingId = [query.sourceTrackingId ?? ''].flat().join(','); // of two, neither is meant alone
      return { sourceTrackingId, data: { message: await readReceipt(act, sourceTrackingId) } };
    },
  });
}
