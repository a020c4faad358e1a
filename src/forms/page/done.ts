import type { FastifyReply } from 'fastify';
import { readReceipt } from '../submissions/receipt.ts';
import { sendMessage } from './send-message.ts';
import type { PageDeps, Visit } from './visit.ts';

/** Thanks whoever comes with a receipt of this form. */
export async function thankFor(deps: PageDeps, { form, assets, request, reply }: Visit): Promise<FastifyReply> {
  const { receipt } = request.query as { receipt?: unknown };
  const read = typeof receipt === 'string' ? readReceipt(deps.installationKeys, receipt) : null;
  const to = { request, reply, frameOrigins: form.page.frameOrigins };
  if (read?.form !== form.id) return sendMessage(to, 404, { kind: 'notFound' });
  const sent = { form: form.id, script: assets?.script ?? null };
  return sendMessage(to, 200, { kind: 'thanks', receipt: read.submission, sent });
}
