import type { Authenticator, KeyCaller } from '../../../platform/http/access.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { DataReader } from '../../smtp-server/data-reader.ts';
import { refuseSender } from '../../smtp-server/envelope.ts';
import type { Line } from '../../smtp-server/line-reader.ts';
import { LARGEST_MESSAGE, REPLY } from '../../smtp-server/replies.ts';
import type { Dialogue, Wire } from '../../smtp-server/wire.ts';
import { type SignIn, type SignInDeps, signIn } from './sign-in.ts';
import { SignInExchange, type Step } from './sign-in-exchange.ts';
import { Transaction, type TransactionDeps } from './transaction.ts';

const LONGEST_COMMAND = 2_048;
const MOST_BAD_COMMANDS = 10;
const AUTH_ARGUMENT = /^(\S+)(?: (\S+))?$/;
const HTTP = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PRI)$/;
const DOMAIN = /^[!-~]{1,255}$/;
const BAD = new Set<string>([REPLY.syntax, REPLY.unknownParameter]);

export interface SessionDeps extends TransactionDeps, SignInDeps {
  authenticator: Authenticator;
  name: string;
}

type Done = Promise<void> | undefined;

/** The dialogue with one client: what was agreed on so far, and one method for each command. */
export class Session implements Dialogue {
  readonly #deps: SessionDeps;
  readonly #wire: Wire;
  readonly #commands: Record<string, (argument: string) => Done> = {
    EHLO: (argument) => this.#hello(argument, true),
    HELO: (argument) => this.#hello(argument, false),
    STARTTLS: (argument) => this.#startTls(argument),
    AUTH: (argument) => this.#auth(argument),
    MAIL: (argument) => this.#mail(argument),
    RCPT: (argument) => this.#rcpt(argument),
    DATA: (argument) => this.#data(argument),
    RSET: () => this.#reset(),
    NOOP: () => this.#reply(REPLY.ok),
    HELP: () => this.#reply(REPLY.help),
    VRFY: () => this.#reply(REPLY.cannotVerify), // RFC 5321 7.3
    EXPN: () => this.#reply(REPLY.cannotVerify),
    QUIT: () => this.#close(REPLY.bye),
    BDAT: () => this.#bad(REPLY.notImplemented),
  };
  readonly #id: string;
  #greeted = false;
  #exchange: SignInExchange | null = null;
  #key: string | null = null;
  #transaction: Transaction | null = null;
  #badCommands = 0;

  constructor(deps: SessionDeps, wire: Wire) {
    this.#deps = deps;
    this.#wire = wire;
    this.#id = timeOrderedId(deps.clock);
  }

  greet(): void {
    this.#wire.reply(`220 ${this.#deps.name} ESMTP`);
  }

  get data(): DataReader | null {
    return this.#transaction?.data ?? null;
  }

  take(line: Line): Done {
    if ('fault' in line) return line.fault === 'bare' ? this.#close(REPLY.bare) : this.#tooLong();
    const { text } = line;
    if (this.#exchange !== null) return this.#follow(this.#exchange.take(text));
    const space = text.indexOf(' ');
    const word = space === -1 ? text : text.slice(0, space);
    const verb = word.toUpperCase();
    if (HTTP.test(word)) return this.#close(REPLY.notHttp);
    if (text.length > LONGEST_COMMAND && verb !== 'AUTH') return this.#tooLong();
    if (!Object.hasOwn(this.#commands, verb)) return this.#bad(REPLY.unknownCommand);
    return this.#commands[verb]?.(space === -1 ? '' : text.slice(space).trim());
  }

  async finishData(data: DataReader): Promise<void> {
    const reply = await this.#accept(data);
    this.abandon();
    this.#answer(reply);
  }

  /** Asks for the key again: it may have been revoked, or the agreement ended, while the message came. */
  async #accept(data: DataReader): Promise<string> {
    try {
      const caller = await this.#deps.authenticator.find(this.#key ?? '');
      return refusalOf(caller) ?? (await this.#transaction?.finish(data)) ?? REPLY.failed;
    } catch (error) {
      return this.#failedLookUp(error);
    }
  }

  abandon(): void {
    this.#transaction?.release();
    this.#transaction = null;
  }

  #hello(domain: string, extended: boolean): Done {
    if (!DOMAIN.test(domain)) return this.#bad(REPLY.syntax);
    this.abandon(); // RFC 5321 4.1.4
    this.#greeted = true;
    const { name } = this.#deps;
    if (!extended) return this.#reply(`250 ${name}`);
    const last = this.#wire.secure ? 'AUTH PLAIN LOGIN' : 'STARTTLS';
    const offers = [name, 'PIPELINING', `SIZE ${LARGEST_MESSAGE}`, '8BITMIME', 'ENHANCEDSTATUSCODES'];
    return this.#reply(`${offers.map((offer) => `250-${offer}\r\n`).join('')}250 ${last}`);
  }

  #startTls(argument: string): Done {
    if (this.#wire.secure) return this.#bad(REPLY.sequence);
    if (argument !== '') return this.#bad(REPLY.syntax);
    // Slipped in by whoever sits in between, it would be carried out as if it had come under TLS.
    if (this.#wire.hasMore()) return this.#close(REPLY.pipelinedTls);
    this.#reply(REPLY.readyForTls);
    this.#wire.startTls();
    return undefined;
  }

  #auth(argument: string): Done {
    if (!this.#wire.secure) return this.#bad(REPLY.encryptFirst);
    if (!this.#greeted || this.#key !== null || this.#transaction !== null) return this.#bad(REPLY.sequence);
    const [, mechanism = '', initial] = AUTH_ARGUMENT.exec(argument) ?? [];
    if (mechanism === '') return this.#bad(REPLY.syntax);
    const known = mechanism.toUpperCase();
    if (known !== 'PLAIN' && known !== 'LOGIN') return this.#bad(REPLY.noSuchMechanism);
    this.#exchange = new SignInExchange(known);
    return this.#follow(this.#exchange.begin(initial ?? null));
  }

  #follow(step: Step): Done {
    if ('ask' in step) return this.#reply(step.ask);
    this.#exchange = null;
    if ('refusal' in step) return this.#bad(step.refusal);
    return signIn(this.#deps, this.#wire.network, step.credentials).then((outcome) => this.#answerSignIn(outcome));
  }

  #answerSignIn({ reply, key, close }: SignIn): void {
    this.#key = key;
    if (close) this.#wire.close(reply);
    else this.#wire.reply(reply);
  }

  #mail(argument: string): Done {
    if (!this.#wire.secure) return this.#bad(REPLY.startTlsFirst);
    if (!this.#greeted || this.#transaction !== null) return this.#bad(REPLY.sequence);
    if (this.#key === null) return this.#bad(REPLY.signInFirst);
    const refusal = refuseSender(argument);
    if (refusal !== null) return this.#refuse(refusal);
    if (this.#deps.backpressure.full) return this.#reply(REPLY.full);
    const found = this.#deps.authenticator.find(this.#key);
    return found instanceof Promise ? this.#beginOnce(found) : this.#begin(found);
  }

  async #beginOnce(found: Promise<KeyCaller | null>): Promise<void> {
    try {
      this.#begin(await found);
    } catch (error) {
      this.#reply(this.#failedLookUp(error));
    }
  }

  /** A key may have been revoked since it signed in. */
  #begin(caller: KeyCaller | null): undefined {
    const refusal = refusalOf(caller);
    if (refusal === null) this.#transaction = new Transaction(this.#deps, caller as KeyCaller, this.#id);
    return this.#answer(refusal ?? REPLY.senderOk);
  }

  #failedLookUp(error: unknown): string {
    this.#deps.log.error({ sessionId: this.#id, err: error }, 'a key could not be looked up');
    return REPLY.failed;
  }

  #rcpt(argument: string): Done {
    if (this.#transaction === null) return this.#bad(REPLY.sequence);
    return this.#refuse(this.#transaction.addRecipient(argument));
  }

  #data(argument: string): Done {
    if (this.#transaction === null) return this.#bad(REPLY.sequence);
    return argument === '' ? this.#reply(this.#transaction.startData()) : this.#bad(REPLY.syntax);
  }

  #reset(): Done {
    this.abandon();
    return this.#reply(REPLY.ok);
  }

  #tooLong(): undefined {
    const reply = this.#exchange === null ? REPLY.lineTooLong : REPLY.signInTooLong;
    this.#exchange = null;
    return this.#bad(reply);
  }

  /** Who may not sign in any more has nothing left to say. */
  #answer(reply: string): undefined {
    return reply === REPLY.signInRefused ? this.#close(reply) : this.#reply(reply);
  }

  /** A wrong address is the customer's mistake, a wrong command the client's. */
  #refuse(reply: string): undefined {
    return BAD.has(reply) ? this.#bad(reply) : this.#reply(reply);
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

/** Why nothing is taken from whoever has a key; null where it is. */
function refusalOf(caller: KeyCaller | null): string | null {
  if (caller === null || !caller.scopes.has('email')) return REPLY.signInRefused;
  return caller.agreementInForce ? null : REPLY.noAgreement;
}
