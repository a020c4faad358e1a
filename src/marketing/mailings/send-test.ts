import {
  type AcceptMessages,
  DEFAULT_HANDLING,
  type Message,
  parseAddress,
  parseTemplate,
  renderTemplate,
  type SenderRule,
} from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { IdempotencyClaim } from '../../platform/http/idempotency.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { findSubscribersAt } from '../subscribers/subscribers-at.ts';
import { knownVariables } from './known-variables.ts';
import type { Mailing } from './mailing.ts';
import { prepareNow } from './prepare-now.ts';

interface Deps {
  db: Database;
  vault: Vault;
  acceptMessages: AcceptMessages;
  senderRule: SenderRule;
}

type Sender = Parameters<AcceptMessages>[1];

/** Sends a mailing to one address, filled in for the person who has it, and marked so that nobody takes it for real. */
export async function sendTest(
  { db, vault, acceptMessages, senderRule }: Deps,
  act: Act,
  sender: Sender,
  mailing: Mailing,
  to: string,
  claim: IdempotencyClaim | null = null,
): Promise<void> {
  const { customerId } = act;
  const prepared = await db.tenant([customerId], (tx) => prepareNow(tx, customerId, mailing, null));
  const from = mailing.from_address === null ? null : parseAddress(mailing.from_address);
  if (prepared === null) throw unfit('html_part', 'is needed before the mailing can be sent');
  if (from === null) throw unfit('from', 'is needed before the mailing can be sent');
  const refusal = await db.tenant([customerId], (tx) =>
    senderRule.of(sender).refusal(tx, customerId, sender.mode, from.address),
  );
  if (refusal !== null) throw unfit('from', refusal);
  const person = await variablesFor(db, vault, customerId, to);
  const render = (source: string, kind: 'html' | 'text' | 'header') =>
    renderTemplate(parseTemplate(source, kind), person).text;
  const replyTo = mailing.reply_to === null ? null : parseAddress(mailing.reply_to);
  const message: Message = {
    from,
    replyTo: replyTo === null ? [] : [replyTo],
    subject: `[Test] ${render(prepared.subject, 'header')}`,
    headers: {},
    recipients: [{ kind: 'to', name: null, address: to }],
    text: render(prepared.text, 'text'),
    html: render(prepared.html, 'html'),
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false, literalSubject: true },
  };
  await acceptMessages(act, sender, [message], claim === null ? null : { claim, bodyOf: () => null });
}

/** What is known of whoever has an address; nothing but the address where nobody has it. */
async function variablesFor(
  db: Database,
  vault: Vault,
  customerId: number,
  email: string,
): Promise<Record<string, unknown>> {
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const [subscriberId = null] = await findSubscribersAt(tx, customerId, [email]);
    return knownVariables(tx, keys, customerId, { subscriberId, email });
  });
}

function unfit(name: string, rule: string): AppError {
  const field = `campaign_mailing.${name}`;
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
