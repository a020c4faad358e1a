import { INSTALLATION } from '../../accounts/index.ts';
import type { Section, Sources } from './section.ts';
import { agreements } from './sections/agreements.ts';
import { apiKeys } from './sections/api-keys.ts';
import { acts, signIns } from './sections/audit-acts.ts';
import { auditCheckpoints, auditHeads, auditVerification } from './sections/audit-chains.ts';
import { backups } from './sections/backups.ts';
import { destructions } from './sections/destructions.ts';
import { encryptionKeys } from './sections/encryption-keys.ts';
import { examination } from './sections/examination.ts';
import { holds } from './sections/holds.ts';
import { breakGlass, incidents, reviews } from './sections/oversight.ts';
import { people, secondFactors } from './sections/people.ts';
import { recertification } from './sections/recertification.ts';
import { retention } from './sections/retention.ts';
import { settings } from './sections/settings.ts';
import { versions } from './sections/versions.ts';

const OF_CUSTOMERS = [
  secondFactors,
  signIns,
  agreements,
  backups,
  breakGlass,
  reviews,
  incidents,
  auditVerification,
  auditHeads,
  auditCheckpoints,
  acts,
  encryptionKeys,
  retention,
  holds,
  destructions,
  versions,
];
/** These speak of all customers. */
const OF_THE_INSTALLATION = [settings, examination];

/** Every table of a pack, in the order in which an auditor asks for them. */
export async function collectSections(sources: Sources): Promise<Section[]> {
  const who = await people(sources);
  const keys = await apiKeys(sources);
  const sections = [who, keys, recertification(who, keys, sources.installation.clock.now())];
  const isWhole = sources.customers.some(({ id }) => id === INSTALLATION);
  const others = isWhole ? [...OF_CUSTOMERS, ...OF_THE_INSTALLATION] : OF_CUSTOMERS;
  for (const read of others) sections.push(await read(sources));
  return sections;
}
