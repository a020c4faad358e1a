import { createHmac } from 'node:crypto';
import { type Client, canConnect, withConnection } from './pool.ts';
import { refuseRolesOfOthers, refuseUserWithoutRights } from './refuse-unfit-database.ts';

/** Owns the lookup functions and never logs in. */
const FINDER = 'carepost_finder';
/** The roles that log in. */
export const LOGIN_ROLES = ['app', 'worker', 'sealer', 'jobs'] as const;
export type LoginRole = (typeof LOGIN_ROLES)[number];

const ALL_ROLES = [FINDER, ...LOGIN_ROLES.map((role) => `carepost_${role}`)];

/**
 * The address of the same database for one of the product's roles. Passwords derive from the
 * owner's, so that every node knows them and none is stored.
 */
export function urlForRole(ownerUrl: string, role: LoginRole): string {
  const url = new URL(ownerUrl);
  url.password = passwordFor(ownerUrl, role);
  url.username = `carepost_${role}`;
  return url.href;
}

/** Refuses an owner's address without a password. */
export function requirePassword(ownerUrl: string): void {
  if (new URL(ownerUrl).password === '') {
    throw new Error('CAREPOST_DATABASE_URL takes an address with a password: those of the roles derive from it');
  }
}

/** Makes the roles, or gives them their passwords anew after the owner's has changed. */
export async function ensureRoles(ownerUrl: string): Promise<void> {
  const checks = await Promise.all(LOGIN_ROLES.map((role) => canConnect(urlForRole(ownerUrl, role))));
  await withConnection(ownerUrl, async (client) => {
    if (checks.every(Boolean) && (await isMemberOfAll(client))) return;
    await refuseRolesOfOthers(client, ALL_ROLES);
    await refuseUserWithoutRights(client, ALL_ROLES);
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('carepost roles'))`);
    await ensureRole(client, FINDER, 'nologin');
    for (const role of LOGIN_ROLES) {
      await ensureRole(client, `carepost_${role}`, `login password '${passwordFor(ownerUrl, role)}'`);
    }
    await client.query('commit');
  });
}

/** Whether the owner may hand things over to the roles: those that an owner before it has made are not yet its own. */
async function isMemberOfAll(client: Client): Promise<boolean> {
  const text = `select from pg_roles where rolname = any($1) and pg_has_role(oid, 'member')`;
  const { rowCount } = await client.query(text, [ALL_ROLES]);
  return rowCount === ALL_ROLES.length;
}

function passwordFor(ownerUrl: string, role: LoginRole): string {
  const secret = decodeURIComponent(new URL(ownerUrl).password);
  return createHmac('sha256', secret).update(`carepost role ${role}`).digest('base64url');
}

async function ensureRole(client: Client, name: string, options: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount === 0) await client.query(`create role ${name} ${options} nosuperuser nobypassrls noinherit`);
  else await client.query(`alter role ${name} ${options}`);
  await client.query(`grant ${name} to current_user`);
}
