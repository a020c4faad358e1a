import {
  DEFAULT_HANDLING,
  domainOf,
  type LinkTokens,
  type MailRoom,
  type Message,
  parseAddress,
  RenderLimit,
  returnPathOf,
  type SignerFor,
} from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { compileMailing, type PersonalMail } from '../content/compile-mime.ts';
import { createParts } from '../content/parts.ts';
import { outOfPreview, type PreparedContent } from '../content/prepare-content.ts';
import { classesOf } from '../field-classes.ts';
import { fieldsToTell } from '../prepare.ts';
import type { LeasedPerson } from './lease.ts';
import { mailboxHeader } from './mailbox-header.ts';
import { personVariables } from './person-variables.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

type Reader = LeasedPerson & { email: string };

/** One person's mail, ready to be handed over. */
export interface Mail {
  returnPath: string;
  recipient: string;
  /** Stands in the room that it was written in, until the next mail is. */
  data: Buffer;
}

/** A send of which only the values of each person are left to be written. */
export interface CompiledSend {
  /** Where its tracked links lead, by their numbers. */
  targets: string[];
  /** The mail to somebody who has an address; null where their values make it longer than a mail may be. */
  mailTo(person: Reader, room: MailRoom): Promise<Mail | null>;
  /** The same as a message, for the Email area to send. */
  letterTo(person: Reader): Message;
}

interface Deps {
  keys: CustomerVault;
  /** The fields of the customer. */
  types: FieldType[];
  clock: Clock;
  tokens: LinkTokens;
  publicUrl: string;
  signerFor: SignerFor;
  /** Where its mail comes back to. */
  returnPathDomain: string;
}

/** Writes everything of a send that is the same for everybody, from the version that it was started with. */
export async function compileSend(
  tx: Tx,
  { keys, types, clock, tokens, publicUrl, signerFor, returnPathDomain }: Deps,
  send: Send,
): Promise<CompiledSend> {
  const { customer_id: customerId } = send;
  const { prepared: written, mjml_part: mjml } = await readVersion(tx, send);
  const prepared = outOfPreview(written as PreparedContent, classesOf(types));
  const tracking = { trackLinks: send.track_links, trackOpens: send.track_opens };
  const content = { ...prepared, subject: send.subject ?? prepared.subject };
  const compiled = compileMailing(content, tracking);
  const partsFor = createParts(content, tracking);
  const domain = domainOf(send.sender_email);
  const signer = await signerFor(customerId, domain);
  const variablesOf = personVariables(keys, fieldsToTell(content, mjml, types));
  const from = mailboxHeader(send.from_name, send.sender_email);
  const replyTo = send.reply_to === null ? null : parseAddress(send.reply_to);
  const linkTo = (kind: 'mailing-open' | 'mailing-click' | 'mailing-unsubscribe', id: string, number = 0) =>
    `${publicUrl}/t/${tokens.make({ kind, id, number })}`;

  const linksOf = (id: string) => ({
    links: compiled.targets.map((_, number) => linkTo('mailing-click', id, number)),
    unsubscribeUrl: linkTo('mailing-unsubscribe', id),
  });

  function personalise(...args: Parameters<typeof compiled.personalise>): PersonalMail | null {
    try {
      return compiled.personalise(...args);
    } catch (error) {
      if (error instanceof RenderLimit) return null;
      throw error;
    }
  }

  return {
    targets: compiled.targets,
    async mailTo(person, room) {
      const { id, email } = person;
      const links = linksOf(id);
      const personal = personalise(variablesOf(person), {
        ...links,
        pixel: tracking.trackOpens ? linkTo('mailing-open', id) : null,
        headers: [
          ['From', from],
          ['To', email],
          ...(replyTo === null ? [] : [['Reply-To', mailboxHeader(replyTo.name, replyTo.address)] as const]),
          ['Date', clock.now().toUTCString().replace('GMT', '+0000')],
          ['Message-ID', `<${id}@${domain}>`],
          ...Object.entries(wayOut(links.unsubscribeUrl)),
        ],
      });
      if (personal === null) return null;
      const signature = await signer.sign(personal.headers, room.writeBody([personal.body]));
      const data = room.writeHead(`${signature}${personal.headers}\r\n`);
      const returnPath = returnPathOf(tokens, { kind: 'mailing-bounce', id }, returnPathDomain);
      return { returnPath, recipient: email, data };
    },
    letterTo(person) {
      const links = linksOf(person.id);
      return {
        from: { name: send.from_name, address: send.sender_email },
        replyTo: replyTo === null ? [] : [replyTo],
        ...partsFor(variablesOf(person), links),
        headers: wayOut(links.unsubscribeUrl),
        recipients: [{ kind: 'to', name: null, address: person.email }],
        attachments: [],
        // Its links are tracked as those of the mailing.
        handling: { ...DEFAULT_HANDLING, trackOpens: false, trackLinks: false },
      };
    },
  };
}

/** RFC 8058 3.1: one address, and the header that allows to post to it without asking. */
function wayOut(url: string) {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

async function readVersion(tx: Tx, { customer_id: customerId, mailing_id: mailingId, version }: Send) {
  return tx
    .selectFrom('mailing_versions')
    .select(['prepared', 'mjml_part'])
    .where('customer_id', '=', customerId)
    .where('mailing_id', '=', mailingId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
}
