import { readFileSync } from 'node:fs';
import { checkText, createTemplate, listTemplates, readName } from '../email/index.ts';
import { type Command, knownCustomer, operatorAct, required, withInstallation } from './command.ts';

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
    withInstallation(invocation.config, async (installation) => {
      const { db, clock } = installation;
      const customerId = await knownCustomer(installation, invocation);
      const name = readName(required(invocation, 'name'));
      const text = {
        body: readFileSync(required(invocation, 'file'), 'utf8'),
        subject: invocation.options.subject ?? null,
        strict: invocation.flags.has('strict'),
        rawHtml: false,
      };
      checkText(text);
      const act = operatorAct(customerId, 'template.created');
      const id = await db.tenant([customerId], (tx) => createTemplate(tx, { clock, act }, { name, ...text }));
      return { json: { id }, text: `Template ${id}` };
    }),
};

export const templateList: Command = {
  name: 'template list',
  usage: '--customer ID',
  about: 'list the dynamic templates of a customer',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const templates = await installation.db.tenant([customerId], (tx) => listTemplates(tx, customerId));
      return { json: { templates }, text: templates.map(({ id, name }) => `${id}  ${name}`).join('\n') };
    }),
};
