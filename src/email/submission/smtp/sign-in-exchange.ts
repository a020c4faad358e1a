import { REPLY } from '../../smtp-server/replies.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** What comes next in an exchange: another question, the credentials, or a refusal. */
export type Step = { ask: string } | { credentials: Credentials } | { refusal: string };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const USERNAME = '334 VXNlcm5hbWU6'; // Username:
const PASSWORD = '334 UGFzc3dvcmQ6'; // Password:

/** One run of AUTH (RFC 4954 4): each answer of the client leads to the next step. */
export class SignInExchange {
  readonly #answers: string[] = [];
  readonly #mechanism: 'PLAIN' | 'LOGIN';

  constructor(mechanism: 'PLAIN' | 'LOGIN') {
    this.#mechanism = mechanism;
  }

  /** The first step, from what the client sent with the command; `=` stands for an empty answer. */
  begin(initial: string | null): Step {
    if (initial !== null) return this.take(initial === '=' ? '' : initial);
    return { ask: this.#mechanism === 'PLAIN' ? '334 ' : USERNAME };
  }

  take(line: string): Step {
    if (line === '*') return { refusal: REPLY.signInCancelled };
    if (!BASE64.test(line)) return { refusal: REPLY.notBase64 };
    this.#answers.push(Buffer.from(line, 'base64').toString('utf8'));
    const [first = '', second] = this.#answers;
    if (this.#mechanism === 'PLAIN') return { credentials: readPlain(first) };
    return second === undefined ? { ask: PASSWORD } : { credentials: { username: first, password: second } };
  }
}

/** RFC 4616 2: whom to act for, who signs in, and the password. Nobody may act for somebody else. */
function readPlain(text: string): Credentials {
  const [actFor, username = '', password = '', ...more] = text.split('\0');
  const own = actFor === '' || actFor === username;
  return own && more.length === 0 ? { username, password } : { username: '', password };
}
