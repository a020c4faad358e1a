import { loadSigningKey } from '../../accounts/index.ts';
import { parseAddress } from '../../email/index.ts';
import { createFindVersion, exportPerson } from '../../forms/index.ts';
import { type Command, knownCustomer, operatorAct, required, UsageError, withInstallation } from '../command.ts';
import { intoNewFile } from '../new-file.ts';

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
      const submissions = await intoNewFile(invocation, 'out', async (write) => {
        const person = await exportPerson(deps, act, email);
        await write(person.archive);
        return person.submissions;
      });
      return { json: { submissions, file: out }, text: `${out}: submissions ${submissions}` };
    }),
};
