import { type FileHandle, open } from 'node:fs/promises';
import type { Installation } from '../../installation.ts';
import {
  beginUndo,
  createImport,
  describeImport,
  type Import,
  readImport,
  readWanted,
  workOnImport,
} from '../../marketing/index.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  type Output,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';

export const importRun: Command = {
  name: 'import run',
  usage: '--customer ID --file FILE [--list ID] [--dry-run] [--mapping JSON] [--start-drips]',
  about: 'import subscribers from a CSV file, or count with --dry-run what that would do',
  options: {
    customer: { type: 'string' },
    file: { type: 'string' },
    list: { type: 'string' },
    'dry-run': { type: 'boolean' },
    mapping: { type: 'string' },
    'start-drips': { type: 'boolean' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const { list, mapping } = invocation.options;
      const wanted = readWanted({
        ...(list === undefined ? {} : { subscription_list_id: list }),
        ...(mapping === undefined ? {} : { mapping }),
        dry_run: String(invocation.flags.has('dry-run')),
        start_drips: String(invocation.flags.has('start-drips')),
      });
      const { db, blobs, clock } = installation;
      await using file = await openFile(invocation);
      const blob = await blobs.write(customerId, file.createReadStream());
      const act = operatorAct(customerId, 'import.created');
      const { id } = await db.tenant([customerId], (tx) => createImport(tx, { clock, act }, wanted, blob));
      return workUntilOver(installation, customerId, id);
    }),
};

export const importShow: Command = {
  name: 'import show',
  takes: 'ID',
  usage: '--customer ID',
  about: 'show how far an import has come and what came of it',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const id = importId(invocation);
      return tell(await installation.db.tenant([customerId], (tx) => readImport(tx, customerId, id)));
    }),
};

export const importUndo: Command = {
  name: 'import undo',
  takes: 'ID',
  usage: '--customer ID',
  about: 'take an import back',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const id = importId(invocation);
      const { db, clock } = installation;
      const act = operatorAct(customerId, 'import.undone');
      await db.tenant([customerId], (tx) => beginUndo(tx, { clock, act }, id));
      return workUntilOver(installation, customerId, id);
    }),
};

/** The file that --file names, opened before anything waits for it. */
async function openFile(invocation: Invocation): Promise<FileHandle> {
  const file = await open(required(invocation, 'file')).catch(() => null);
  const isFolder = (await file?.stat())?.isDirectory() === true;
  if (file !== null && !isFolder) return file;
  await file?.close();
  throw new UsageError('--file takes a file that can be read');
}

/** Does the work in this process, so that it gets done without a server too. */
async function workUntilOver(installation: Installation, customerId: number, id: string): Promise<Output> {
  while (await workOnImport(installation, { customerId, importId: id }));
  return tell(await installation.db.tenant([customerId], (tx) => readImport(tx, customerId, id)));
}

function importId({ given }: Invocation): string {
  if (!isUuid(given)) throw new UsageError('import show and import undo take the id of an import');
  return canonicalUuid(given);
}

function tell(row: Import): Output {
  const { attributes } = describeImport(row);
  const { state, dry_run: dryRun, created, updated, unchanged, skipped, opted_out: optedOut, failure } = attributes;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped, ${optedOut} opted out`;
  const undone = `; ${attributes.removed} removed, ${attributes.restored} restored, ${attributes.kept} kept`;
  const what = `Import ${row.id}${dryRun ? ' (dry run)' : ''}: ${state}`;
  return {
    json: { id: row.id, ...attributes },
    text: failure === null ? `${what}, ${counts}${state === 'undone' ? undone : ''}` : `${what}, ${failure}`,
    failed: state === 'failed',
  };
}
