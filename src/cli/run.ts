import { readConfig, readEnvironment } from '../config.ts';
import { type Command, UsageError } from './command.ts';
import { agreementEnd, agreementRecord } from './commands/agreement.ts';
import { auditRestored, auditVerify } from './commands/audit.ts';
import { backup } from './commands/backup.ts';
import { blobsMove } from './commands/blobs.ts';
import { breakGlassCodes, breakGlassEnd, breakGlassList } from './commands/break-glass.ts';
import { customerCreate, customerList } from './commands/customer.ts';
import { customerDestroy } from './commands/customer-destroy.ts';
import { customerExport } from './commands/customer-export.ts';
import { databaseMove, databaseUpgrade } from './commands/database.ts';
import { destructionVerify } from './commands/destruction.ts';
import { doctor } from './commands/doctor.ts';
import { domainAdd, domainCheck, domainList, domainRotate } from './commands/domain.ts';
import { dripList, dripSimulate } from './commands/drip.ts';
import { evidenceExport, evidenceKey, evidenceVerify } from './commands/evidence.ts';
import { evidencePack, evidenceVerifyPack } from './commands/evidence-pack.ts';
import { formCreate, formReceipt } from './commands/form.ts';
import { holdList, holdRelease, holdSet } from './commands/hold.ts';
import { importRun, importShow, importUndo } from './commands/import.ts';
import { incidentExport, incidentList, incidentOpen } from './commands/incident.ts';
import { keyCreate, keyList, keyRevoke } from './commands/key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapi } from './commands/openapi.ts';
import { personExport } from './commands/person.ts';
import { restore } from './commands/restore.ts';
import { retentionOverride, retentionShow } from './commands/retention.ts';
import { routeExplain } from './commands/route.ts';
import { sealedExport, sealedKeygen, sealedOpen } from './commands/sealed.ts';
import { serve } from './commands/serve.ts';
import { templateCreate, templateList } from './commands/template.ts';
import { tlsReportList } from './commands/tls-report.ts';
import { userCreate, userEnd, userLink, userResetFactors } from './commands/user.ts';
import { vaultDestroy, vaultRotate } from './commands/vault.ts';
import { certificateKey, verifyFile } from './commands/verify.ts';
import { versionCommand } from './commands/version.ts';
import { webhookCreate, webhookList, webhookRotate } from './commands/webhook.ts';
import { auditWhoRead } from './commands/who-read.ts';
import { readArguments } from './read-arguments.ts';

const COMMANDS: Command[] = [
  serve,
  customerCreate,
  customerList,
  customerExport,
  customerDestroy,
  userCreate,
  userLink,
  userEnd,
  userResetFactors,
  keyCreate,
  keyList,
  keyRevoke,
  agreementRecord,
  agreementEnd,
  domainAdd,
  domainCheck,
  domainList,
  domainRotate,
  dripList,
  dripSimulate,
  formCreate,
  formReceipt,
  personExport,
  destructionVerify,
  holdSet,
  holdList,
  holdRelease,
  retentionShow,
  retentionOverride,
  importRun,
  importShow,
  importUndo,
  routeExplain,
  templateCreate,
  templateList,
  tlsReportList,
  webhookCreate,
  webhookList,
  webhookRotate,
  migrateCommand,
  databaseMove,
  databaseUpgrade,
  blobsMove,
  doctor,
  openapi,
  auditVerify,
  auditRestored,
  auditWhoRead,
  breakGlassCodes,
  breakGlassList,
  breakGlassEnd,
  incidentOpen,
  incidentList,
  incidentExport,
  evidenceExport,
  evidenceVerify,
  evidenceKey,
  evidenceVerifyPack,
  // Behind those that begin with the same word: the first whose words fit is taken.
  evidencePack,
  verifyFile,
  certificateKey,
  sealedKeygen,
  sealedOpen,
  sealedExport,
  vaultRotate,
  vaultDestroy,
  backup,
  restore,
  versionCommand,
];

const UNKNOWN = 'no such command: carepost help lists them';

/** Where a command finds its settings and prints. */
export interface World {
  environment(): Record<string, string | undefined>;
  print(text: string): void;
}

const THIS_PROCESS: World = {
  environment: readEnvironment,
  print: (text) => process.stdout.write(text),
};

/** Runs the command that the arguments name and answers with the exit code. */
export async function runCommand(given: string[], { environment, print } = THIS_PROCESS): Promise<number> {
  const args = given[0] === '--version' ? ['version', ...given.slice(1)] : given;
  const isAsked = args[0] === 'help';
  if (args.length === 0 || isAsked || args.includes('--help') || args.includes('-h')) {
    print(help(askedAbout(isAsked ? args.slice(1) : args)));
    return 0;
  }
  const command = findCommand(args);
  if (command === undefined) throw new UsageError(UNKNOWN);
  const invocation = readArguments(command, args.slice(command.name.split(' ').length));
  const output = await command.run({
    ...invocation,
    // Not every command needs settings.
    get config() {
      return readConfig(environment());
    },
  });
  if (output === null) return 0;
  print(`${invocation.flags.has('json') ? JSON.stringify(output.json) : output.text}\n`);
  return output.failed === true ? 1 : 0;
}

function findCommand(args: string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
}

/** What help is wanted on: a command, those that begin with the same word, or all. */
function askedAbout(args: string[]): Command[] {
  const firstOption = args.findIndex((word) => word.startsWith('-'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  if (words.length === 0) return COMMANDS;
  const under = COMMANDS.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `));
  const named = under.length > 0 ? under : COMMANDS.filter((each) => each === findCommand(args));
  if (named.length === 0) throw new UsageError(UNKNOWN);
  return named;
}

function help(commands: Command[]): string {
  const lines = commands.map(({ name, takes = '', usage, about }) => {
    const words = [name, takes, usage].filter((part) => part !== '');
    return `  carepost ${words.join(' ')}\n      ${about}\n`;
  });
  return `Usage, each with --json for one JSON object:\n\n${lines.join('')}`;
}
