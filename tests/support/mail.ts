import type { Reply, TestApp } from './app.ts';
import { eventually } from './eventually.ts';

/** A message to one address, with more of whatever a test is about. */
export function messageTo(recipient: string, more: Record<string, unknown> = {}) {
  return { recipients: [recipient], headers: { from: 'Clinic <clinic@example.org>', subject: 'Your visit' }, ...more };
}

/** Sends a message and answers its tracking id. */
export async function send(
  app: TestApp,
  key: string,
  message: Record<string, unknown>,
  beside: Record<string, unknown> = {},
): Promise<string> {
  const { status, body, text } = await app.request('POST', '/v1/email/messages', {
    key,
    body: { data: { message, ...beside } },
  });
  if (status !== 200) throw new Error(`not accepted: ${text}`);
  return body.sourceTrackingId;
}

/** The receipt of a message. */
export function receiptOf(app: TestApp, key: string, id: string): Promise<Reply> {
  return app.request('GET', `/v1/email/message_receipt?sourceTrackingId=${id}`, { key });
}

/** Waits until no recipient of a message is on its way any more, and answers its receipt. */
export async function deliveredReceipt(app: TestApp, key: string, id: string): Promise<Reply> {
  let receipt = await receiptOf(app, key, id);
  await eventually(async () => {
    receipt = await receiptOf(app, key, id);
    return receipt.body.data.message.message_deliveries.every(
      ({ status }: { status: { deliveryStatus: string } }) => status.deliveryStatus === 'delivered',
    );
  });
  return receipt;
}

/** What the sandbox holds of a message. */
export async function sandboxCopy(app: TestApp, key: string, id: string) {
  let copy: Reply['body'];
  await eventually(async () => {
    const { body } = await app.request('GET', '/v1/email/sandbox/messages', { key });
    copy = body.data.find((each: { sourceTrackingId: string }) => each.sourceTrackingId === id);
    return copy !== undefined;
  });
  return copy;
}
