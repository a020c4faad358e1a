import { checkText, createTemplate, listTemplates, readName } from '../../email/index.ts';
import { type Command, required } from '../command.ts';
import { listed } from '../listed.ts';
import { onCustomer } from '../on-customer.ts';
import { readFileOption } from '../read-file-option.ts';

export const templateCreate: Command = {
  name: 'template create',
  usage: '--customer ID --name N --file FILE [--subject S] [--strict]',
  about: 'make a dynamic template; FILE holds its HTML',
  options: {
    customer: { type: 'string' },
    name: { type: 'string' },
    file: { type: 'string' },
    subject: { type: 'string' },
    strict: { type: 'boolean' },
  },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, clock, act }) => {
      const name = readName(required(invocation, 'name'));
      const text = {
        body: readFileOption(invocation, 'file').toString(),
        subject: invocation.options.subject ?? null,
        strict: invocation.flags.has('strict'),
        rawHtml: false,
      };
      checkText(text);
      const id = await createTemplate(tx, { clock, act: act('template.created') }, { name, ...text });
      return { json: { id }, text: `Template ${id}` };
    }),
};

export const templateList: Command = {
  name: 'template list',
  usage: '--customer ID',
  about: 'list the dynamic templates of a customer',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, customerId }) =>
      listed(await listTemplates(tx, customerId), ({ id, name }) => `${id}  ${name}`),
    ),
};
