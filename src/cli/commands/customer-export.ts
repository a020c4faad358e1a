import { loadSigningKey } from '../../accounts/index.ts';
import { exportCustomer } from '../../operations/export-customer/index.ts';
import { type Command, knownCustomer, operatorAct, required, withInstallation } from '../command.ts';

export const customerExport: Command = {
  name: 'customer export',
  usage: '--customer ID --to FOLDER',
  about: 'write everything that a customer has into an empty folder, readable and signed; goes on where it was cut off',
  options: { customer: { type: 'string' }, to: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const folder = required(invocation, 'to');
      const signingKey = await loadSigningKey(installation);
      const { publicUrl } = invocation.config;
      const act = operatorAct(customerId, 'customer.exported');
      const { files, rows, bytes } = await exportCustomer({ ...installation, publicUrl, signingKey }, act, folder);
      return {
        json: { id: customerId, files, rows, bytes },
        text: `${folder}: files ${files}, rows ${rows}, bytes ${bytes}`,
      };
    }),
};
