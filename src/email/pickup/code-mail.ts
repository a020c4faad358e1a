import type { Database } from '../../platform/db/database.ts';
import { CODE_MINUTES } from '../../platform/one-time-codes/rules.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { DEFAULT_HANDLING, type Message, type Recipient } from '../submission/message.ts';
import type { Pickup } from './find-pickup.ts';
import { readEnvelope } from './read-envelope.ts';

/** The mail with a one-time code, to the address that the notice went to. It says nothing of the message or its sender. */
export async function codeMail(
  { db, systemFrom }: { db: Database; systemFrom: string },
  keys: CustomerVault,
  pickup: Pickup,
  code: string,
): Promise<Message> {
  const { recipients } = await readEnvelope(db, keys, pickup);
  const { address } = recipients[pickup.ordinal] as Recipient;
  return {
    from: { name: 'Carepost', address: systemFrom },
    replyTo: [],
    subject: 'Your code for a secure message',
    headers: { 'Auto-Submitted': 'auto-generated' },
    recipients: [{ kind: 'to', name: null, address }],
    text: `Your one-time code is ${code}\n\nIt is valid for ${CODE_MINUTES} minutes. If you did not ask for it, ignore this mail: nobody can read your message without the code.\n`,
    html: null,
    attachments: [],
    handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false, notice: true, asked: true },
  };
}
