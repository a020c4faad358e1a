import { SETTINGS } from '../../../settings.ts';
import type { ReadSection } from '../section.ts';

const SECRET = /PASSWORD|SECRET|TOKEN|_KEY$/;

/** How the installation is set up, without what would open anything. */
export const settings: ReadSection = async ({ environment }) => ({
  name: 'settings',
  title: 'Settings',
  about: 'Every setting as it was when the pack was made. Names, passwords and parameters in addresses are left out.',
  columns: ['setting', 'set', 'value'],
  rows: Object.entries(SETTINGS).map(([name, { default: fallback }]) => {
    const given = environment[name]?.trim();
    if (given === undefined && (environment[`${name}_FILE`] ?? '') !== '')
      return { setting: name, set: true, value: '(from a file)' };
    return { setting: name, set: given !== undefined && given !== '', value: withoutSecrets(name, given ?? fallback) };
  }),
});

function withoutSecrets(name: string, value: string): string {
  if (value !== '' && SECRET.test(name)) return '(not shown)';
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value;
  if (!URL.canParse(value)) return '(not shown)';
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname}`;
}
