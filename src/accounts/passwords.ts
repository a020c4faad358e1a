import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { invalidField } from '../platform/errors.ts';

const SHORTEST = 12;
const LONGEST = 256;
const COST = { parallelism: 1, memory: 19 * 1024, passes: 2, tagLength: 32 };

const derive = promisify(argon2);

/** The hash of a password in PHC form, or an error that says what a password takes. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw invalidField('password', `takes ${SHORTEST} to ${LONGEST} characters`);
  }
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Whether a hash is of this password. */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(hash) ?? [];
  if (memory === undefined || password.length > LONGEST) return false;
  const wanted = Buffer.from(tag, 'base64');
  const given = await derive('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(given, wanted);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
