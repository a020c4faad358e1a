import { readConfig, readEnvironment } from '../config.ts';
import { agreementEnd, agreementRecord } from './agreement.ts';
import { auditVerify } from './audit.ts';
import { backup } from './backup.ts';
import { blobsMove } from './blobs.ts';
import { breakGlassCodes, breakGlassEnd, breakGlassList } from './break-glass.ts';
import { type Command, UsageError } from './command.ts';
import { customerCreate, customerList } from './customer.ts';
import { customerDestroy } from './customer-destroy.ts';
import { customerExport } from './customer-export.ts';
import { databaseMove, databaseUpgrade } from './database.ts';
import { destructionVerify } from './destruction.ts';
import { doctor } from './doctor.ts';
import { domainAdd, domainCheck, domainList, domainRotate } from './domain.ts';
import { dripList, dripSimulate } from './drip.ts';
import { evidenceExport, evidenceKey, evidenceVerify } from './evidence.ts';
import { evidencePack, evidenceVerifyPack } from './evidence-pack.ts';
import { formCreate, formReceipt } from './form.ts';
import { holdList, holdRelease, holdSet } from './hold.ts';
import { importRun, importShow, importUndo } from './import.ts';
import { incidentExport, incidentList, incidentOpen } from './incident.ts';
import { keyCreate, keyList, keyRevoke } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { openapi } from './openapi.ts';
import { personExport } from './person.ts';
import { readArguments } from './read-arguments.ts';
import { restore } from './restore.ts';
import { retentionOverride, retentionShow } from './retention.ts';
import { routeExplain } from './route.ts';
import { sealedExport, sealedKeygen, sealedOpen } from './sealed.ts';
import { serve } from './serve.ts';
import { templateCreate, templateList } from './template.ts';
import { tlsReportList } from './tls-report.ts';
import { userCreate, userEnd, userLink, userResetFactors } from './user.ts';
import { vaultDestroy, vaultRotate } from './vault.ts';
import { certificateKey, verifyFile } from './verify.ts';
import { webhookCreate, webhookList, webhookRotate } from './webhook.ts';
import { auditWhoRead } from './who-read.ts';

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
];

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
export async function runCommand(args: string[], { environment, print } = THIS_PROCESS): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (command === undefined) {
    if (args.length > 0 && args[0] !== 'help' && args[0] !== '--help')
      throw new UsageError('no such command: carepost help lists them');
    print(help());
    return 0;
  }
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

function help(): string {
  const lines = COMMANDS.map(({ name, takes = '', usage, about }) => {
    const words = [name, takes, usage].filter((part) => part !== '');
    return `  carepost ${words.join(' ')}\n      ${about}\n`;
  });
  return `Usage, each with --json for one JSON object:\n\n${lines.join('')}`;
}
