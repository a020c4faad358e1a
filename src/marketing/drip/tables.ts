import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DripState, Reentry, StartTrigger } from './campaigns/drip.ts';

type Json<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Late<T> = ColumnType<T | null, T | null | undefined, T | null>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    drip_campaigns: {
      id: GeneratedAlways<number>;
      customer_id: number;
      name: string;
      subscription_list_id: number;
      start_trigger: StartTrigger;
      trigger_settings: Json<unknown>;
      reentry: Reentry;
      goal: JsonOrNull<unknown>;
      time_zone: string;
      sender_email: string | null;
      from_name: string | null;
      reply_to: string | null;
      state: DripState;
      mode: 'live' | 'test';
      version: number;
      live_version: Late<number>;
      trial_version: Late<number>;
      trial_share: Late<number>;
      pauses: ColumnType<unknown, string | undefined, string>;
      paused_at: Late<Date>;
      dates_seen_at: Late<Date>;
      ending: Generated<boolean>;
      created_at: Date;
      updated_at: Date;
      started_at: Late<Date>;
      completed_at: Late<Date>;
      deleted_at: Late<Date>;
    };
    drip_versions: {
      drip_id: number;
      version: number;
      customer_id: number;
      graph: Json<unknown>;
      bound: Json<unknown>;
      created_at: Date;
    };
    drip_enrolments: {
      id: string;
      customer_id: number;
      drip_id: number;
      version: number;
      subscriber_id: string;
      rotation: number;
      occasion: string | null;
      state: 'active' | 'completed' | 'exited';
      reason: string | null;
      step: string;
      inside: boolean;
      woken: boolean;
      pauses: number;
      due_at: Date | null;
      entered_at: Date;
      arrived_at: Date;
      ended_at: Date | null;
    };
    drip_visits: {
      enrolment_id: string;
      step: string;
      visit: number;
      number: Generated<number>;
      customer_id: number;
      at: Date;
      outcome: string | null;
      message_id: string | null;
    };
    drip_counts: { drip_id: number; shard: number; customer_id: number; people: number; completed: number };
    drip_step_counts: {
      drip_id: number;
      version: number;
      step: string;
      shard: number;
      customer_id: number;
      waiting: number;
      passed: number;
      exited: number;
    };
    drip_interests: { drip_id: number; kind: string; subject: string; enters: boolean; customer_id: number };
    drip_facts: {
      id: GeneratedAlways<number>;
      customer_id: number;
      drip_id: Late<number>;
      kind: string;
      subject: string;
      subscriber_id: Late<string>;
      occasion: Late<string>;
      at: Date;
      set_aside: Generated<boolean>;
    };
  }
}
