import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { Conversation, type Done } from '../../smtp-server/conversation.ts';
import { DataReader } from '../../smtp-server/data-reader.ts';
import { refuseSender } from '../../smtp-server/envelope.ts';
import type { Line } from '../../smtp-server/line-reader.ts';
import { REPLY, replyToError } from '../../smtp-server/replies.ts';
import type { Room } from '../../smtp-server/room.ts';
import type { Wire } from '../../smtp-server/wire.ts';
import { type Destination, type ReadDestinationDeps, readDestination } from './destination.ts';

const LARGEST_REPORT = 10 * 2 ** 20;
const MOST_RECIPIENTS = 100;
const MOST_COMMANDS = 200;
const TOO_MANY_COMMANDS = '421 4.7.0 Too many commands';
const FROM_NOBODY = /^FROM: ?<>/i;
const SIZE = / SIZE=(\d{1,20})(?: |$)/i; // RFC 1870
const TOO_LARGE = `552 5.3.4 Reports take at most ${LARGEST_REPORT} octets`;
const MANNER = {
  help: '214 2.0.0 EHLO STARTTLS MAIL RCPT DATA RSET NOOP QUIT',
  largest: LARGEST_REPORT,
  offeredUnderTls: [],
  mostBadCommands: 20,
};
const DATA_FAULTS = { bare: REPLY.bare, long: REPLY.longInData, size: TOO_LARGE, crowded: REPLY.crowded };

export interface ReturnSessionDeps extends ReadDestinationDeps {
  name: string;
  room: Room;
  /** Does what a returned mail asks for; it is on disk when it answers. */
  take(returned: ReturnedMail): Promise<void>;
  log: Log;
}

export interface ReturnedMail {
  destinations: Destination[];
  /** Whether its MAIL FROM was empty. */
  fromNobody: boolean;
  mime: Buffer;
}

/** The dialogue with a server that returns mail: anybody may, in clear too, but only to where we sent mail from. */
export class ReturnSession extends Conversation {
  data: DataReader | null = null;
  readonly #deps: ReturnSessionDeps;
  /** Where the mail that was begun goes; null between mails. */
  #destinations: Destination[] | null = null;
  #fromNobody = false;
  #commandsTaken = 0;

  constructor(deps: ReturnSessionDeps, wire: Wire) {
    super({ ...MANNER, name: deps.name }, wire);
    this.#deps = deps;
  }

  override take(line: Line): Done {
    this.#commandsTaken += 1;
    return this.#commandsTaken > MOST_COMMANDS ? this.close(TOO_MANY_COMMANDS) : super.take(line);
  }

  async finishData({ fault, pieces }: DataReader): Promise<void> {
    const destinations = this.#destinations ?? [];
    const reply = fault === null ? await this.#handIn(destinations, Buffer.concat(pieces)) : DATA_FAULTS[fault];
    this.abandon();
    this.wire.reply(reply);
  }

  abandon(): void {
    this.data?.release();
    this.data = null;
    this.#destinations = null;
  }

  async #handIn(destinations: Destination[], mime: Buffer): Promise<string> {
    try {
      await this.#deps.take({ destinations, fromNobody: this.#fromNobody, mime });
      return '250 2.0.0 Taken';
    } catch (error) {
      if (error instanceof AppError && error.code === 'payload_too_large') return replyToError(error) as string;
      this.#deps.log.error({ err: error }, 'returned mail could not be taken');
      return REPLY.failed;
    }
  }

  protected override mail(argument: string): Done {
    if (!this.greeted || this.#destinations !== null) return this.bad(REPLY.sequence);
    if (Number(SIZE.exec(argument)?.[1] ?? 0) > LARGEST_REPORT) return this.reply(TOO_LARGE);
    const refusal = refuseSender(argument);
    if (refusal !== null) return this.bad(refusal);
    this.#destinations = [];
    this.#fromNobody = FROM_NOBODY.test(argument);
    return this.reply(REPLY.senderOk);
  }

  protected override rcpt(argument: string): Done {
    if (this.#destinations === null) return this.bad(REPLY.sequence);
    if (this.#destinations.length >= MOST_RECIPIENTS) return this.reply(REPLY.tooManyRecipients);
    const read = readDestination(this.#deps, argument);
    if ('refusal' in read) return this.bad(read.refusal);
    this.#destinations.push(read);
    return this.reply(REPLY.recipientOk);
  }

  protected override startData(argument: string): Done {
    if (this.#destinations === null) return this.bad(REPLY.sequence);
    if (argument !== '') return this.bad(REPLY.syntax);
    if (this.#destinations.length === 0) return this.bad(REPLY.noRecipients);
    this.data = new DataReader(LARGEST_REPORT, this.#deps.room);
    return this.reply(REPLY.startInput);
  }
}
