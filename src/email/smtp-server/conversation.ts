import type { DataReader } from './data-reader.ts';
import type { Line } from './line-reader.ts';
import { REPLY } from './replies.ts';
import type { Dialogue, Wire } from './wire.ts';

const LONGEST_COMMAND = 2_048;
const DOMAIN = /^[!-~]{1,255}$/;

/** Nothing where a command is done at once. */
export type Done = Promise<void> | undefined;

/** How a door presents itself. */
export interface Manner {
  name: string;
  help: string;
  largest: number;
  offeredUnderTls: string[];
  mostBadCommands: number;
}

/** What is said at every door of SMTP, whatever is handed in there: lines are commands, and too many wrong ones are the end. */
export abstract class Conversation implements Dialogue {
  abstract readonly data: DataReader | null;
  protected readonly wire: Wire;
  protected greeted = false;
  readonly #manner: Manner;
  readonly #commands: Record<string, (argument: string) => Done> = {
    EHLO: (argument) => this.#hello(argument, true),
    HELO: (argument) => this.#hello(argument, false),
    STARTTLS: (argument) => this.#startTls(argument),
    AUTH: (argument) => this.auth(argument),
    MAIL: (argument) => this.mail(argument),
    RCPT: (argument) => this.rcpt(argument),
    DATA: (argument) => this.startData(argument),
    RSET: () => this.#reset(),
    NOOP: () => this.reply(REPLY.ok),
    HELP: () => this.reply(this.#manner.help),
    VRFY: () => this.reply(REPLY.cannotVerify), // RFC 5321 7.3
    EXPN: () => this.reply(REPLY.cannotVerify),
    QUIT: () => this.close(REPLY.bye),
    BDAT: () => this.bad(REPLY.notImplemented),
  };
  #badCommands = 0;

  constructor(manner: Manner, wire: Wire) {
    this.#manner = manner;
    this.wire = wire;
  }

  abstract finishData(data: DataReader): Promise<void>;
  abstract abandon(): void;
  protected abstract mail(argument: string): Done;
  protected abstract rcpt(argument: string): Done;
  protected abstract startData(argument: string): Done;

  greet(): void {
    this.wire.reply(`220 ${this.#manner.name} ESMTP`);
  }

  take(line: Line): Done {
    if ('fault' in line) return line.fault === 'bare' ? this.close(REPLY.bare) : this.tooLong();
    const { text } = line;
    const space = text.indexOf(' ');
    const verb = (space === -1 ? text : text.slice(0, space)).toUpperCase();
    if (text.length > LONGEST_COMMAND && verb !== 'AUTH') return this.tooLong(); // RFC 4954 4: AUTH takes more
    if (!Object.hasOwn(this.#commands, verb)) return this.bad(REPLY.unknownCommand);
    return this.#commands[verb]?.(space === -1 ? '' : text.slice(space).trim());
  }

  /** Signs in, where a door knows anybody. */
  protected auth(_argument: string): Done {
    return this.bad(REPLY.notImplemented);
  }

  protected tooLong(): undefined {
    return this.bad(REPLY.lineTooLong);
  }

  protected reply(text: string): undefined {
    this.wire.reply(text);
    return undefined;
  }

  protected close(text: string): undefined {
    this.wire.close(text);
    return undefined;
  }

  protected bad(text: string): undefined {
    this.#badCommands += 1;
    return this.#badCommands > this.#manner.mostBadCommands ? this.close(REPLY.tooManyErrors) : this.reply(text);
  }

  #hello(domain: string, extended: boolean): Done {
    if (!DOMAIN.test(domain)) return this.bad(REPLY.syntax);
    this.abandon(); // RFC 5321 4.1.4
    this.greeted = true;
    const { name, largest, offeredUnderTls } = this.#manner;
    if (!extended) return this.reply(`250 ${name}`);
    const offers = [name, 'PIPELINING', `SIZE ${largest}`, '8BITMIME', 'ENHANCEDSTATUSCODES'];
    offers.push(...(this.wire.secure ? offeredUnderTls : ['STARTTLS']));
    return this.reply(offers.map((offer, at) => `250${at === offers.length - 1 ? ' ' : '-'}${offer}`).join('\r\n'));
  }

  #startTls(argument: string): Done {
    if (this.wire.secure) return this.bad(REPLY.sequence);
    if (argument !== '') return this.bad(REPLY.syntax);
    // Slipped in by whoever sits in between, it would be carried out as if it had come under TLS.
    if (this.wire.hasMore()) return this.close(REPLY.pipelinedTls);
    this.reply(REPLY.readyForTls);
    this.wire.startTls();
    return undefined;
  }

  #reset(): Done {
    this.abandon();
    return this.reply(REPLY.ok);
  }
}
