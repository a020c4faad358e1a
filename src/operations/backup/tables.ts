export type RunKind = 'full' | 'incremental' | 'verify' | 'restore';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    backup_runs: {
      id: string;
      kind: RunKind;
      started_at: Date;
      marked_at: Date | null;
      finished_at: Date | null;
      ok: boolean | null;
      bytes: number | null;
      lsn: string | null;
    };
  }
}
