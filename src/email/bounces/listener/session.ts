import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { DataReader } from '../../smtp-server/data-reader.ts';
import { refuseSender } from '../../smtp-server/envelope.ts';
import type { Line } from '../../smtp-server/line-reader.ts';
import { REPLY, replyToError } from '../../smtp-server/replies.ts';
import type { Room } from '../../smtp-server/room.ts';
import type { Dialogue, Wire } from '../../smtp-server/wire.ts';
import { type Destination, type ReadDestinationDeps, readDestination } from './destination.ts';

const LARGEST_REPORT = 10 * 2 ** 20;
const MOST_RECIPIENTS = 100;
const MOST_BAD_COMMANDS = 20;
const MOST_COMMANDS = 200;
const TOO_MANY_COMMANDS = '421 4.7.0 Too many commands';
const FROM_NOBODY = /^FROM: ?<>/i;
const LONGEST_COMMAND = 2_048;
const DOMAIN = /^[!-~]{1,255}$/;
const SIZE = / SIZE=(\d{1,20})(?: |$)/i; // RFC 1870
const TOO_LARGE = `552 5.3.4 Reports take at most ${LARGEST_REPORT} octets`;
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

type Done = Promise<void> | undefined;

/** The dialogue with a server that returns mail: anybody may, in clear too, but only to where we sent mail from. */
export class ReturnSession implements Dialogue {
  data: DataReader | null = null;
  readonly #deps: ReturnSessionDeps;
  readonly #wire: Wire;
  readonly #commands: Record<string, (argument: string) => Done> = {
    EHLO: (argument) => this.#hello(argument, true),
    HELO: (argument) => this.#hello(argument, false),
    STARTTLS: (argument) => this.#startTls(argument),
    MAIL: (argument) => this.#mail(argument),
    RCPT: (argument) => this.#rcpt(argument),
    DATA: (argument) => this.#data(argument),
    RSET: () => this.#reset(),
    NOOP: () => this.#reply(REPLY.ok),
    HELP: () => this.#reply('214 2.0.0 EHLO STARTTLS MAIL RCPT DATA RSET NOOP QUIT'),
    VRFY: () => this.#reply(REPLY.cannotVerify), // RFC 5321 7.3
    EXPN: () => this.#reply(REPLY.cannotVerify),
    QUIT: () => this.#close(REPLY.bye),
  };
  #greeted = false;
  /** Where the mail that was begun goes; null between mails. */
  #destinations: Destination[] | null = null;
  #fromNobody = false;
  #commandsTaken = 0;
  #badCommands = 0;

  constructor(deps: ReturnSessionDeps, wire: Wire) {
    this.#deps = deps;
    this.#wire = wire;
  }

  greet(): void {
    this.#wire.reply(`220 ${this.#deps.name} ESMTP`);
  }

  take(line: Line): Done {
    this.#commandsTaken += 1;
    if (this.#commandsTaken > MOST_COMMANDS) return this.#close(TOO_MANY_COMMANDS);
    if ('fault' in line) return line.fault === 'bare' ? this.#close(REPLY.bare) : this.#bad(REPLY.lineTooLong);
    const { text } = line;
    if (text.length > LONGEST_COMMAND) return this.#bad(REPLY.lineTooLong);
    const [word = ''] = text.split(' ', 1);
    const verb = word.toUpperCase();
    if (!Object.hasOwn(this.#commands, verb)) return this.#bad(REPLY.unknownCommand);
    return this.#commands[verb]?.(text.slice(word.length).trim());
  }

  async finishData({ fault, pieces }: DataReader): Promise<void> {
    const destinations = this.#destinations ?? [];
    const reply = fault === null ? await this.#handIn(destinations, Buffer.concat(pieces)) : DATA_FAULTS[fault];
    this.abandon();
    this.#wire.reply(reply);
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

  #hello(domain: string, extended: boolean): Done {
    if (!DOMAIN.test(domain)) return this.#bad(REPLY.syntax);
    this.abandon(); // RFC 5321 4.1.4
    this.#greeted = true;
    const { name } = this.#deps;
    if (!extended) return this.#reply(`250 ${name}`);
    const offers = [name, 'PIPELINING', `SIZE ${LARGEST_REPORT}`, '8BITMIME'];
    if (!this.#wire.secure) offers.push('STARTTLS');
    return this.#reply(`${offers.map((offer) => `250-${offer}\r\n`).join('')}250 ENHANCEDSTATUSCODES`);
  }

  #startTls(argument: string): Done {
    if (this.#wire.secure) return this.#bad(REPLY.sequence);
    if (argument !== '') return this.#bad(REPLY.syntax);
    if (this.#wire.hasMore()) return this.#close(REPLY.pipelinedTls);
    this.#reply(REPLY.readyForTls);
    this.#wire.startTls();
    return undefined;
  }

  #mail(argument: string): Done {
    if (!this.#greeted || this.#destinations !== null) return this.#bad(REPLY.sequence);
    if (Number(SIZE.exec(argument)?.[1] ?? 0) > LARGEST_REPORT) return this.#reply(TOO_LARGE);
    const refusal = refuseSender(argument);
    if (refusal !== null) return this.#bad(refusal);
    this.#destinations = [];
    this.#fromNobody = FROM_NOBODY.test(argument);
    return this.#reply(REPLY.senderOk);
  }

  #rcpt(argument: string): Done {
    if (this.#destinations === null) return this.#bad(REPLY.sequence);
    if (this.#destinations.length >= MOST_RECIPIENTS) return this.#reply(REPLY.tooManyRecipients);
    const read = readDestination(this.#deps, argument);
    if ('refusal' in read) return this.#bad(read.refusal);
    this.#destinations.push(read);
    return this.#reply(REPLY.recipientOk);
  }

  #data(argument: string): Done {
    if (this.#destinations === null) return this.#bad(REPLY.sequence);
    if (argument !== '') return this.#bad(REPLY.syntax);
    if (this.#destinations.length === 0) return this.#bad(REPLY.noRecipients);
    this.data = new DataReader(LARGEST_REPORT, this.#deps.room);
    return this.#reply(REPLY.startInput);
  }

  #reset(): Done {
    this.abandon();
    return this.#reply(REPLY.ok);
  }

  #reply(text: string): undefined {
    this.#wire.reply(text);
    return undefined;
  }

  #close(text: string): undefined {
    this.#wire.close(text);
    return undefined;
  }

  #bad(text: string): undefined {
    this.#badCommands += 1;
    return this.#badCommands > MOST_BAD_COMMANDS ? this.#close(REPLY.tooManyErrors) : this.#reply(text);
  }
}
