import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Emergency, PersonCaller, Role, Scope } from '../../platform/http/access.ts';
import type { FoundSession, SessionFinder } from '../../platform/http/sessions.ts';
import type { Log } from '../../platform/log.ts';
import { hashSecret } from '../../platform/secret.ts';
import { recordAct } from '../audit/record.ts';
import { isGrantOpen } from '../oversight/break-glass/grant.ts';
import { FRESH_MS, IDLE_MS, SEEN_MS } from './rules.ts';
import '../tables.ts';

/** How long a looked-up session is believed; whatever ends it takes effect within this on every node. */
const TRUST_MS = 3_000;
const FORGET_MS = 60_000;
const ALL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['forms', 'email', 'marketing']);

interface KnownSession {
  found: FoundSession;
  hash: Buffer;
  endsAt: number;
  /** When somebody did something last, and how much of that is written down. */
  seenAt: number;
  writtenAt: number;
  checkedAt: number;
  usedAt: number;
}

interface FoundRow {
  id: string;
  customer_id: number;
  user_id: string;
  token_hash: Buffer;
  csrf: string;
  role: Role;
  username: string;
  seen_at: Date;
  expires_at: Date;
  factor_at: Date | null;
  fresh_at: Date | null;
  agreement_in_force: boolean;
  grant_id: string | null;
  grant_customer_id: number;
  grant_username: string;
  grant_expires_at: Date;
  grant_agreement_in_force: boolean;
}

export interface Sessions extends SessionFinder {
  /** Looks all sessions in use up again with one query, and writes down who is still there; called once a second. */
  refresh(): Promise<void>;
  /** Believes nothing any more of a person's sessions, on this node. */
  forget(userId: string): void;
}

/** Knows the sessions in use, so that few requests wait for the database. */
export function createSessions({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Sessions {
  const known = new Map<string, KnownSession>();
  /** Since when nothing is believed any more that was asked before, by person. */
  const forgottenAt = new Map<string, number>();

  /** Looks sessions up; answers whether all that was found may be believed. */
  async function lookUp(hashes: Buffer[]): Promise<boolean> {
    const startedAt = performance.now();
    let isBelieved = true;
    const today = clock.now().toISOString().slice(0, 10);
    const { rows } = await db.untenanted((tx) =>
      sql<FoundRow>`select * from find_sessions(${hashes}, ${today}::date)`.execute(tx),
    );
    const found = new Map(rows.map((row) => [nameOf(row.token_hash), row]));
    for (const name of hashes.map(nameOf)) {
      const row = found.get(name);
      const isStale = row !== undefined && startedAt <= (forgottenAt.get(row.user_id) ?? -1);
      if (isStale) isBelieved = false;
      else if (row === undefined) known.delete(name);
      else if (startedAt >= (known.get(name)?.checkedAt ?? 0))
        known.set(name, toKnown(row, startedAt, known.get(name)));
    }
    return isBelieved;
  }

  /** What changed while it was asked for is asked for again. */
  async function lookUpNow(hash: Buffer): Promise<void> {
    while (!(await lookUp([hash])));
  }

  function isOpen({ seenAt, endsAt }: KnownSession): boolean {
    const now = clock.now().getTime();
    return now < endsAt && now - seenAt < IDLE_MS;
  }

  function use(entry: KnownSession, background: boolean): FoundSession | Promise<FoundSession> {
    entry.usedAt = performance.now();
    if (background) return entry.found;
    entry.seenAt = Math.max(entry.seenAt, clock.now().getTime());
    if (entry.seenAt - entry.writtenAt < SEEN_MS) return entry.found;
    return writeSeen(entry).then(() => entry.found);
  }

  async function writeSeen(entry: KnownSession): Promise<void> {
    const { customerId, person } = entry.found.caller;
    const seenAt = entry.seenAt;
    entry.writtenAt = seenAt;
    try {
      await db.tenant([customerId], (tx) =>
        tx
          .updateTable('user_sessions')
          .set({ seen_at: sql`greatest(seen_at, ${new Date(seenAt)})` })
          .where('customer_id', '=', customerId)
          .where('id', '=', person.sessionId)
          .where('ended_at', 'is', null)
          .execute(),
      );
    } catch (error) {
      log.warn({ err: error }, 'the last use of a session was not written');
    }
  }

  return {
    find(token, { background }) {
      const hash = hashSecret(token);
      if (hash === null) return null;
      const name = nameOf(hash);
      const entry = known.get(name);
      const isBelieved = entry !== undefined && performance.now() - entry.checkedAt < TRUST_MS;
      if (isBelieved && isOpen(entry)) return use(entry, background);
      // What seems over here may have gone on at another node.
      return lookUpNow(hash).then(() => {
        const looked = known.get(name);
        return looked !== undefined && isOpen(looked) ? use(looked, background) : null;
      });
    },

    async refresh() {
      const now = performance.now();
      for (const [name, entry] of known) if (now - entry.usedAt > FORGET_MS) known.delete(name);
      for (const [userId, at] of forgottenAt) if (now - at > FORGET_MS) forgottenAt.delete(userId);
      if (known.size === 0) return;
      const moment = clock.now().getTime();
      const unwritten = (entry: KnownSession) => entry.seenAt > entry.writtenAt && moment - entry.writtenAt >= SEEN_MS;
      for (const entry of [...known.values()].filter(unwritten)) await writeSeen(entry);
      await lookUp([...known.values()].map(({ hash }) => hash)).catch((error) =>
        log.warn({ err: error }, 'sessions were not refreshed'),
      );
    },

    async noteEmergency({ customerId, person }, { operation, ids, requestId }) {
      const grantId = String(person.grantId);
      const actor = { kind: 'break-glass', id: grantId } as const;
      const act = { customerId, actor, action: 'break-glass.request', requestId };
      await db.tenant([customerId], async (tx) => {
        // Ended on another node, it is over here as well.
        if (!(await isGrantOpen(tx, clock, { customerId, grantId }))) throw new AppError('forbidden');
        await recordAct(tx, clock, act, { details: { operation, ids } });
      });
    },

    forget(userId) {
      forgottenAt.set(userId, performance.now());
      for (const [name, { found }] of known) if (found.caller.person.userId === userId) known.delete(name);
    },
  };
}

function nameOf(hash: Buffer): string {
  return hash.toString('base64url');
}

function toKnown(row: FoundRow, checkedAt: number, before: KnownSession | undefined): KnownSession {
  const seenAt = row.seen_at.getTime();
  return {
    found: { caller: callerOf(row), csrf: row.csrf },
    hash: row.token_hash,
    endsAt: row.expires_at.getTime(),
    seenAt: Math.max(seenAt, before?.seenAt ?? 0),
    writtenAt: seenAt,
    checkedAt,
    usedAt: before?.usedAt ?? checkedAt,
  };
}

function callerOf(row: FoundRow): PersonCaller {
  return {
    customerId: row.customer_id,
    username: row.username,
    keyId: null,
    person: {
      userId: row.user_id,
      sessionId: row.id,
      role: row.role,
      factorShown: row.factor_at !== null,
      freshUntil: row.fresh_at === null ? null : new Date(row.fresh_at.getTime() + FRESH_MS),
      ...(row.grant_id === null ? {} : { emergency: emergencyOf(row.grant_id, row) }),
    },
    mode: 'live',
    scopes: row.role === 'operator' ? new Set() : ALL_SCOPES,
    agreementInForce: row.agreement_in_force,
  };
}

function emergencyOf(grantId: string, row: FoundRow): Emergency {
  return {
    grantId,
    customerId: row.grant_customer_id,
    username: row.grant_username,
    agreementInForce: row.grant_agreement_in_force,
    until: row.grant_expires_at,
  };
}
