import type { Generated } from 'kysely';

/** How bad an incident is. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How far an incident has come. */
export const INCIDENT_STATES = ['open', 'contained', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

declare module '../../platform/db/tables.ts' {
  interface Tables {
    break_glass_grants: {
      id: string;
      customer_id: number;
      operator_id: string;
      reason: Buffer;
      minutes: number;
      asked_at: Date;
      opened_at: Generated<Date | null>;
      opened_by_kind: Generated<'operator' | 'customer' | 'code' | null>;
      opened_by: Generated<string | null>;
      expires_at: Generated<Date | null>;
      ended_at: Generated<Date | null>;
      ended_by_kind: Generated<'operator' | 'customer' | 'cli' | null>;
      ended_by: Generated<string | null>;
    };
    break_glass_codes: {
      code_index: Buffer;
      created_at: Date;
      used_at: Date | null;
      grant_id: string | null;
    };
    activity_reviews: {
      id: string;
      customer_id: number;
      period_from: Date;
      period_to: Date;
      findings: string;
      made_at: Date;
      due_at: Date;
      overdue_told_at: Generated<Date | null>;
      signed_at: Generated<Date | null>;
      signed_by: Generated<string | null>;
      notes: Generated<Buffer | null>;
    };
    incidents: {
      id: string;
      customer_id: number;
      discovered_at: Date;
      breach_from: Date | null;
      breach_to: Date | null;
      severity: Severity;
      state: IncidentState;
      told: Buffer;
      scope: string | null;
      opened_at: Date;
      opened_by_kind: string;
      opened_by: string;
      closed_at: Generated<Date | null>;
    };
    incident_entries: {
      id: string;
      customer_id: number;
      incident_id: string;
      at: Date;
      author_kind: string;
      author_id: string;
      state: IncidentState;
      told: Buffer;
    };
  }
}
