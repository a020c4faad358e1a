import type { Purpose } from './key-store.ts';

declare module '../db/tables.ts' {
  interface Tables {
    customer_keys: {
      customer_id: number;
      purpose: Purpose;
      version: number;
      master_key_id: string;
      wrapped: Buffer;
      created_at: Date;
    };
    key_usage: { customer_id: number; version: number; reserved: number };
    key_destructions: {
      customer_id: number;
      destroyed_at: Date;
      destroyed_by: string;
      key_store: string;
      backups_expire_on: string | null;
    };
    installation: { name: string; value: Buffer };
  }
}
