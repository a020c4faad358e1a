import { moment, ofEach, type ReadSection } from '../section.ts';

const DAY = 24 * 3600_000;

/** The versions of the keys that seal: when each began, and how old the newest is. */
export const encryptionKeys: ReadSection = async (sources) => {
  const { keyStore, clock } = sources.installation;
  return {
    name: 'encryption-keys',
    title: 'Encryption keys and their rotation',
    about: 'Every version of the key of each customer, and the id of the master key that wraps it. No key is in here.',
    columns: ['customer', 'version', 'began', 'age_days', 'seals', 'wrapped_by_master_key', 'kept_in'],
    rows: await ofEach(sources, async (customerId) => {
      const versions = (await keyStore.load(customerId)).filter(({ purpose }) => purpose === 'seal');
      const newest = Math.max(...versions.map(({ version }) => version));
      return versions.map(({ version, createdAt, masterKeyId }) => ({
        version,
        began: moment(createdAt),
        age_days: Math.floor((clock.now().getTime() - createdAt.getTime()) / DAY),
        seals: version === newest,
        wrapped_by_master_key: masterKeyId,
        kept_in: keyStore.kind,
      }));
    }),
  };
};
