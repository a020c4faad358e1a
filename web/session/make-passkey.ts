import { startRegistration } from '@simplewebauthn/browser';
import { call, type Reply } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { words } from '../words/session.ts';
import { plainOf } from './plain-credential.ts';

/** Has the browser make a passkey and the server keep its public half. */
export async function makePasskey(name: string): Promise<Reply<'addPasskey'>> {
  const options = await call('beginPasskey', {});
  let credential: Awaited<ReturnType<typeof startRegistration>>;
  try {
    credential = await startRegistration({ optionsJSON: options as never });
  } catch {
    throw new ApiProblem(0, words.passkeyFailed);
  }
  return call('addPasskey', { body: { name, credential: plainOf(credential) } });
}
