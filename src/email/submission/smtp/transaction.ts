import type { KeyCaller } from '../../../platform/http/access.ts';
import { DataReader } from '../../smtp-server/data-reader.ts';
import { readRecipient } from '../../smtp-server/envelope.ts';
import { LARGEST_MESSAGE, REPLY } from '../../smtp-server/replies.ts';
import type { Room } from '../../smtp-server/room.ts';
import { addressKey } from '../address.ts';
import { MOST_RECIPIENTS } from '../rules.ts';
import { type SubmitDeps, submit } from './submit.ts';

const DATA_FAULTS = {
  bare: REPLY.bare,
  long: REPLY.longInData,
  size: REPLY.tooLarge,
  crowded: REPLY.crowded,
};

export interface TransactionDeps extends SubmitDeps {
  room: Room;
}

/** One message on its way in (RFC 5321 3.3): begun by MAIL, ended by the reply to its data. */
export class Transaction {
  /** What collects the message, from DATA on. */
  data: DataReader | null = null;
  readonly #deps: TransactionDeps;
  readonly #caller: KeyCaller;
  readonly #sessionId: string;
  readonly #recipients = new Map<string, string>();

  constructor(deps: TransactionDeps, caller: KeyCaller, sessionId: string) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#caller = caller;
  }

  /** Adds the recipient that RCPT names and answers with the reply; one that is named twice is one recipient. */
  addRecipient(argument: string): string {
    const read = readRecipient(argument);
    if ('refusal' in read) return read.refusal;
    const key = addressKey(read.address);
    if (this.#recipients.has(key)) return REPLY.recipientOk;
    if (this.#recipients.size >= MOST_RECIPIENTS) return REPLY.tooManyRecipients;
    this.#recipients.set(key, read.address);
    return REPLY.recipientOk;
  }

  startData(): string {
    if (this.#recipients.size === 0) return REPLY.noRecipients;
    this.data = new DataReader(LARGEST_MESSAGE, this.#deps.room);
    return REPLY.startInput;
  }

  /** Submits what was collected and answers with the reply. */
  async finish({ fault, pieces: mime }: DataReader): Promise<string> {
    if (fault !== null) return DATA_FAULTS[fault];
    const recipients = [...this.#recipients.values()];
    return submit(this.#deps, { sessionId: this.#sessionId, caller: this.#caller, recipients, mime });
  }

  /** Gives back what the message took. */
  release(): void {
    this.data?.release();
  }
}
