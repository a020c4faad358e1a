import { INSTALLATION } from '../../accounts/index.ts';
import { BLANK_FORM, createForm, readReceipt, readTitle } from '../../forms/index.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';
import { readFileOption } from '../read-file-option.ts';

export const formCreate: Command = {
  name: 'form create',
  usage: '--customer ID --title T [--description D] [--definition FILE] [--active]',
  about: 'make a form; FILE holds its form_json',
  options: {
    customer: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    definition: { type: 'string' },
    active: { type: 'boolean' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const { db, clock } = installation;
      const wanted = {
        ...BLANK_FORM,
        title: readTitle(required(invocation, 'title')),
        description: invocation.options.description ?? null,
        form_json: readDefinition(invocation),
        active: invocation.flags.has('active'),
      };
      const act = operatorAct(customerId, 'form.created');
      const id = await db.tenant([customerId], (tx) => createForm(tx, { clock, act }, wanted));
      return { json: { id }, text: `Form ${id}` };
    }),
};

export const formReceipt: Command = {
  name: 'form receipt',
  usage: '--text T',
  about: 'tell whether a Submission-Receipt was given out by this installation, and for what',
  options: { text: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const receipt = readReceipt(await installation.vault.of(INSTALLATION), required(invocation, 'text'));
      if (receipt === null) throw new Error('--text is no receipt of this installation');
      const { submission, form, version, received } = receipt;
      return {
        json: { submission, form, version, received },
        text: `Submission ${submission} to version ${version} of form ${form}, received ${received}`,
      };
    }),
};

function readDefinition(invocation: Invocation): Record<string, unknown> {
  if (invocation.options.definition === undefined) return { fields: [] };
  const value = parse(readFileOption(invocation, 'definition').toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--definition takes a file with a JSON object');
  return value as Record<string, unknown>;
}

/** What a text holds as JSON, or null: the parser's own message would quote several lines of it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
