import { createCustomer, listCustomers, recordAgreement } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { type Command, operator, operatorAct, required, withInstallation } from '../command.ts';
import { listed } from '../listed.ts';

/** Makes a customer and, unless told not to, records that its agreement was signed outside the product. */
export async function setUpCustomer(
  installation: Installation,
  { name, username, agreement }: { name: string; username: string; agreement: boolean },
): Promise<number> {
  const id = await createCustomer(installation, operator(), { name, username });
  if (agreement) {
    await recordAgreement(installation, operatorAct(id, 'agreement.recorded'), {
      version: 'outside the product',
      signer: 'outside the product',
      signedOn: installation.clock.now().toISOString().slice(0, 10),
      endsOn: null,
      pdf: null,
    });
  }
  return id;
}

export const customerCreate: Command = {
  name: 'customer create',
  usage: '--name N --username U [--no-baa]',
  about: 'make a customer; its agreement is recorded as signed outside the product unless --no-baa',
  options: { name: { type: 'string' }, username: { type: 'string' }, 'no-baa': { type: 'boolean' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const id = await setUpCustomer(installation, {
        name: required(invocation, 'name'),
        username: required(invocation, 'username'),
        agreement: !invocation.flags.has('no-baa'),
      });
      return { json: { id }, text: `Customer ${id}` };
    }),
};

export const customerList: Command = {
  name: 'customer list',
  usage: '',
  about: 'the customers of this installation',
  run: ({ config }) =>
    withInstallation(config, async ({ db }) => {
      return listed(await listCustomers(db), ({ id, username }) => `${id}\t${username}`);
    }),
};
