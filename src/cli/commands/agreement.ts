import { endAgreements, recordAgreement } from '../../accounts/index.ts';
import { type Command, knownCustomer, operatorAct, required, withInstallation } from '../command.ts';
import { readFileOption } from '../read-file-option.ts';

export const agreementRecord: Command = {
  name: 'agreement record',
  usage: '--customer ID --version V --signer NAME --date YYYY-MM-DD [--ends YYYY-MM-DD] [--pdf FILE]',
  about: 'record a signed business associate agreement',
  options: {
    customer: { type: 'string' },
    version: { type: 'string' },
    signer: { type: 'string' },
    date: { type: 'string' },
    ends: { type: 'string' },
    pdf: { type: 'string' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const id = await recordAgreement(installation, operatorAct(customerId, 'agreement.recorded'), {
        version: required(invocation, 'version'),
        signer: required(invocation, 'signer'),
        signedOn: required(invocation, 'date'),
        endsOn: invocation.options.ends ?? null,
        pdf: invocation.options.pdf === undefined ? null : readFileOption(invocation, 'pdf'),
      });
      return { json: { id }, text: `Agreement ${id}` };
    }),
};

export const agreementEnd: Command = {
  name: 'agreement end',
  usage: '--customer ID --date YYYY-MM-DD',
  about: 'end the agreements in force; nothing new is accepted after the day, reading stays open',
  options: { customer: { type: 'string' }, date: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const act = operatorAct(customerId, 'agreement.ended');
      const ended = await endAgreements(installation, act, required(invocation, 'date'));
      return { json: { ended }, text: `${ended} ended.` };
    }),
};
