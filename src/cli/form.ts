import { readFileSync } from 'node:fs';
import { createForm } from '../forms/index.ts';
import { type Command, knownCustomer, operatorAct, required, UsageError, withInstallation } from './command.ts';

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
      const id = await createForm(installation, operatorAct(customerId, 'form.created'), {
        title: required(invocation, 'title'),
        description: invocation.options.description ?? null,
        formJson: readDefinition(invocation.options.definition),
        active: invocation.flags.has('active'),
      });
      return { json: { id }, text: `Form ${id}` };
    }),
};

function readDefinition(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return { fields: [] };
  const value = parse(readFileSync(file, 'utf8'));
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
