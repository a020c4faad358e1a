import type { Generated } from 'kysely';

declare module '../db/tables.ts' {
  interface Tables {
    acme_accounts: { directory: string; url: string; sealed_key: Buffer; created_at: Date };
    acme_certificates: {
      directory: string;
      names: string;
      chain: string | null;
      sealed_key: Buffer | null;
      next_attempt_at: Date;
      failures: Generated<number>;
      leased_until: Date | null;
    };
    acme_challenges: { token: string; answer: string; expires_at: Date };
  }
}
