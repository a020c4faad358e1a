import type { Authenticator, KeyCaller } from '../../../platform/http/access.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import { Conversation, type Done } from '../../smtp-server/conversation.ts';
import type { DataReader } from '../../smtp-server/data-reader.ts';
import { refuseSender } from '../../smtp-server/envelope.ts';
import type { Line } from '../../smtp-server/line-reader.ts';
import { LARGEST_MESSAGE, REPLY } from '../../smtp-server/replies.ts';
import type { Wire } from '../../smtp-server/wire.ts';
import { type SignIn, type SignInDeps, signIn } from './sign-in.ts';
import { SignInExchange, type Step } from './sign-in-exchange.ts';
import { Transaction, type TransactionDeps } from './transaction.ts';

const AUTH_ARGUMENT = /^(\S+)(?: (\S+))?$/;
const HTTP = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PRI)( |$)/;
const MANNER = {
  help: '214 2.0.0 EHLO STARTTLS AUTH MAIL RCPT DATA RSET NOOP QUIT',
  largest: LARGEST_MESSAGE,
  offeredUnderTls: ['AUTH PLAIN LOGIN'],
  mostBadCommands: 10,
};
const BAD = new Set<string>([REPLY.syntax, REPLY.unknownParameter]);

export interface SessionDeps extends TransactionDeps, SignInDeps {
  authenticator: Authenticator;
  name: string;
}

/** The dialogue with a client that hands in messages: who it is, and the message that was begun. */
export class Session extends Conversation {
  readonly #deps: SessionDeps;
  readonly #id: string;
  #exchange: SignInExchange | null = null;
  #key: string | null = null;
  #transaction: Transaction | null = null;

  constructor(deps: SessionDeps, wire: Wire) {
    super({ ...MANNER, name: deps.name }, wire);
    this.#deps = deps;
    this.#id = timeOrderedId(deps.clock);
  }

  get data(): DataReader | null {
    return this.#transaction?.data ?? null;
  }

  override take(line: Line): Done {
    if (!('fault' in line)) {
      if (this.#exchange !== null) return this.#follow(this.#exchange.take(line.text));
      if (HTTP.test(line.text)) return this.close(REPLY.notHttp);
    }
    return super.take(line);
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

  protected override auth(argument: string): Done {
    if (!this.wire.secure) return this.bad(REPLY.encryptFirst);
    if (!this.greeted || this.#key !== null || this.#transaction !== null) return this.bad(REPLY.sequence);
    const [, mechanism = '', initial] = AUTH_ARGUMENT.exec(argument) ?? [];
    if (mechanism === '') return this.bad(REPLY.syntax);
    const known = mechanism.toUpperCase();
    if (known !== 'PLAIN' && known !== 'LOGIN') return this.bad(REPLY.noSuchMechanism);
    this.#exchange = new SignInExchange(known);
    return this.#follow(this.#exchange.begin(initial ?? null));
  }

  #follow(step: Step): Done {
    if ('ask' in step) return this.reply(step.ask);
    this.#exchange = null;
    if ('refusal' in step) return this.bad(step.refusal);
    return signIn(this.#deps, this.wire.network, step.credentials).then((outcome) => this.#answerSignIn(outcome));
  }

  #answerSignIn({ reply, key, close }: SignIn): void {
    this.#key = key;
    if (close) this.wire.close(reply);
    else this.wire.reply(reply);
  }

  protected override mail(argument: string): Done {
    if (!this.wire.secure) return this.bad(REPLY.startTlsFirst);
    if (!this.greeted || this.#transaction !== null) return this.bad(REPLY.sequence);
    if (this.#key === null) return this.bad(REPLY.signInFirst);
    const refusal = refuseSender(argument);
    if (refusal !== null) return this.#refuse(refusal);
    if (this.#deps.backpressure.full) return this.reply(REPLY.full);
    const found = this.#deps.authenticator.find(this.#key);
    return found instanceof Promise ? this.#beginOnce(found) : this.#begin(found);
  }

  async #beginOnce(found: Promise<KeyCaller | null>): Promise<void> {
    try {
      this.#begin(await found);
    } catch (error) {
      this.reply(this.#failedLookUp(error));
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

  protected override rcpt(argument: string): Done {
    if (this.#transaction === null) return this.bad(REPLY.sequence);
    return this.#refuse(this.#transaction.addRecipient(argument));
  }

  protected override startData(argument: string): Done {
    if (this.#transaction === null) return this.bad(REPLY.sequence);
    return argument === '' ? this.reply(this.#transaction.startData()) : this.bad(REPLY.syntax);
  }

  protected override tooLong(): undefined {
    const reply = this.#exchange === null ? REPLY.lineTooLong : REPLY.signInTooLong;
    this.#exchange = null;
    return this.bad(reply);
  }

  /** Who may not sign in any more has nothing left to say. */
  #answer(reply: string): undefined {
    return reply === REPLY.signInRefused ? this.close(reply) : this.reply(reply);
  }

  /** A wrong address is the customer's mistake, a wrong command the client's. */
  #refuse(reply: string): undefined {
    return BAD.has(reply) ? this.bad(reply) : this.reply(reply);
  }
}

/** Why nothing is taken from whoever has a key; null where it is. */
function refusalOf(caller: KeyCaller | null): string | null {
  if (caller === null || !caller.scopes.has('email')) return REPLY.signInRefused;
  return caller.agreementInForce ? null : REPLY.noAgreement;
}
