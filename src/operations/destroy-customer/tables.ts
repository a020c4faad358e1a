import type { ColumnType, Generated } from 'kysely';
import type { Signed } from '../../accounts/index.ts';
import type { CustomerDestruction } from './certificate.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer_destructions: {
      customer_id: number;
      id: string;
      began_at: Date;
      began_by_kind: string;
      began_by: string;
      reason: string | null;
      counts: Generated<Record<string, number>>;
      certificate: ColumnType<Signed<CustomerDestruction> | null, string | undefined, string>;
    };
  }
}
