import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { loadSigningKey } from '../accounts/index.ts';
import { parseAddress } from '../email/index.ts';
import { createFindVersion, exportPerson } from '../forms/index.ts';
import { type Command, knownCustomer, operatorAct, required, UsageError, withInstallation } from './command.ts';

export const personExport: Command = {
  name: 'person export',
  usage: '--customer ID --email E --out FILE',
  about: 'write all submissions of an address, with PDF and files, to a new ZIP archive',
  options: { customer: { type: 'string' }, email: { type: 'string' }, out: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const email = parseAddress(required(invocation, 'email'))?.address;
      if (email === undefined) throw new UsageError('--email takes an email address');
      const out = required(invocation, 'out');
      const { publicUrl } = invocation.config;
      const signingKey = await loadSigningKey(installation);
      const deps = { ...installation, publicUrl, signingKey, findVersion: createFindVersion(installation.db) };
      const act = operatorAct(customerId, 'person.exported');
      const submissions = await intoNewFile(out, async (write) => {
        const person = await exportPerson(deps, act, email);
        await write(person.archive);
        return person.submissions;
      });
      return { json: { submissions, file: out }, text: `${out}: submissions ${submissions}` };
    }),
};

/** Fills a file that was not there, for the eyes of its owner only; half a file does not stay. */
async function intoNewFile<T>(
  file: string,
  fill: (write: (bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened = await open(file, 'wx', 0o600).catch(() => {
    throw new UsageError('--out takes a file that is not there yet, in a folder that is');
  });
  try {
    return await fill((bytes) => pipeline(bytes, opened.createWriteStream()));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await opened.close();
  }
}
