import { createUser } from '../accounts/index.ts';
import { type Command, knownCustomer, operatorAct, required, withInstallation } from './command.ts';

export const userCreate: Command = {
  name: 'user create',
  usage: '--customer ID --email E --role owner|admin|editor|reader',
  about: 'make a user and print a setup link that works once',
  options: { customer: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const wanted = { email: required(invocation, 'email'), role: required(invocation, 'role') };
      const { id, setupToken } = await createUser(installation, operatorAct(customerId, 'user.created'), wanted);
      const setupUrl = setupLink(installation.config.publicUrl, setupToken);
      return {
        json: { id, setup_url: setupUrl },
        text: `User ${id}\nSetup link, works once within 7 days: ${setupUrl}`,
      };
    }),
};

/** Where a new user sets a password. The token stands behind the #, so that no server log ever sees it. */
export function setupLink(publicUrl: string, token: string): string {
  return `${publicUrl}/app/setup#${token}`;
}
