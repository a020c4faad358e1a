import { listApiKeys } from '../../../accounts/index.ts';
import { moment, ofEach, type ReadSection } from '../section.ts';

/** Access review: every key with what it opens and when it was last used. */
export const apiKeys: ReadSection = async (sources) => ({
  name: 'api-keys',
  title: 'API keys',
  about: 'Every key, in force or not, with its scopes and when it was last used. Keys themselves are kept nowhere.',
  columns: ['customer', 'id', 'name', 'mode', 'scopes', 'created', 'created_by', 'last_used', 'expires', 'revoked'],
  rows: await ofEach(sources, async (customerId) =>
    (await listApiKeys(sources.installation, customerId)).map((key) => ({
      id: key.id,
      name: key.name,
      mode: key.mode,
      scopes: key.scopes.join(' '),
      created: moment(key.createdAt),
      created_by: key.createdBy,
      last_used: moment(key.lastUsedAt),
      expires: moment(key.expiresAt),
      revoked: moment(key.revokedAt),
    })),
  ),
});
