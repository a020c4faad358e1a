import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { exportSealed, makeIdentity, openFile, readIdentities } from '../../forms/index.ts';
import { createApiReader } from '../../platform/net/api-reader.ts';
import { type Command, type Invocation, required, UsageError } from '../command.ts';
import { intoNewFile } from '../new-file.ts';
import { readGiven } from '../verification.ts';

const FORMATS = ['csv', 'json', 'pdf'] as const;

export const sealedKeygen: Command = {
  name: 'sealed keygen',
  usage: '[--out FILE]',
  about: 'make a key for forms that are encrypted end to end: the recipient goes to the form, the identity to nobody',
  options: { out: { type: 'string' } },
  async run(invocation) {
    const { identity, recipient } = await makeIdentity();
    const file = invocation.options.out;
    const text = `# public key: ${recipient}\n${identity}`;
    if (file === undefined) return { json: { recipient, identity }, text };
    await intoNewFile(invocation, 'out', (write) => write(`${text}\n`));
    return { json: { recipient, file }, text: recipient };
  },
};

export const sealedOpen: Command = {
  name: 'sealed open',
  takes: 'FILE',
  usage: '--identity FILE --out FILE',
  about: 'decrypt one file that was encrypted end to end; needs neither database nor settings nor network',
  options: { identity: { type: 'string' }, out: { type: 'string' } },
  async run(invocation) {
    const out = required(invocation, 'out');
    const identities = identitiesOf(invocation);
    const plain = await openFile(identities, readGiven(invocation)).catch(() => {
      throw new Error('the file is not encrypted to this identity, or was changed');
    });
    await intoNewFile(invocation, 'out', (write) => write(plain));
    return { json: { file: out }, text: out };
  },
};

export const sealedExport: Command = {
  name: 'sealed export',
  usage: '--url URL --key KEY --form ID --identity FILE --out DIR [--format csv,json,pdf]',
  about: 'decrypt the submissions of a form here and write them as tables, pages and files; the server learns nothing',
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    form: { type: 'string' },
    identity: { type: 'string' },
    out: { type: 'string' },
    format: { type: 'string' },
  },
  async run(invocation) {
    const [url, key, formId, out] = ['url', 'key', 'form', 'out'].map((name) => required(invocation, name)) as [
      string,
      string,
      string,
      string,
    ];
    const formats = formatsOf(invocation);
    const identities = identitiesOf(invocation);
    const api = createApiReader(url, key);
    attempt(() => mkdirSync(out, { recursive: true, mode: 0o700 }), '--out takes a folder');
    if (readdirSync(out).length > 0) throw new UsageError('--out takes a folder with nothing in it');
    const done = await exportSealed({ api, formId, identities, out, formats });
    const lines = [
      `${out}: submissions ${done.opened}`,
      ...(done.readable > 0 ? [`${done.readable} are not encrypted: the server exports them`] : []),
      ...done.unfit.map(({ id, problems }) => `${id} does not fit its form: ${Object.keys(problems).join(', ')}`),
      ...done.closed.map(({ id, reason }) => `${id} ${reason}`),
    ];
    return { json: { folder: out, ...done }, text: lines.join('\n'), failed: done.closed.length > 0 };
  },
};

function formatsOf({ options }: Invocation): Set<(typeof FORMATS)[number]> {
  const named = (options.format ?? FORMATS.join(',')).split(',').map((each) => each.trim());
  const known = named.flatMap((name) => FORMATS.find((each) => each === name) ?? []);
  if (known.length !== named.length) throw new UsageError(`--format takes ${FORMATS.join(', ')}`);
  return new Set(known);
}

function identitiesOf(invocation: Invocation): string[] {
  const file = required(invocation, 'identity');
  const identities = readIdentities(attempt(() => readFileSync(file, 'utf8'), '--identity takes a file'));
  if (identities === null) throw new UsageError('--identity takes a file of carepost sealed keygen or age-keygen');
  return identities;
}

function attempt<T>(use: () => T, otherwise: string): T {
  try {
    return use();
  } catch {
    throw new UsageError(otherwise);
  }
}
