import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/keys.ts';
import { MakeKey } from './make-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

export type Key = Reply<'listApiKeys'>['data'][number];

const TONES = { in_force: 'good', expired: 'warn', revoked: 'plain' } as const;

/** The keys that programs call with. */
export function KeysPage() {
  const read = useRead('listApiKeys', {});
  const [making, setMaking] = useState(false);
  const make = (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      {words.make}
    </Button>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={make}>
      <Loaded read={read}>{({ data }) => <KeyTable keys={data} />}</Loaded>
      {making && <MakeKey onClose={() => setMaking(false)} />}
    </Page>
  );
}

function KeyTable({ keys }: { keys: readonly Key[] }) {
  const [withEnded, setWithEnded] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const ended = keys.filter(({ state }) => state !== 'in_force').length;
  const columns: Column<Key>[] = [
    {
      name: words.columns.name,
      cell: ({ name, prefix }) => (
        <span className="flex min-w-0 flex-col leading-tight">
          <span className="truncate font-medium">{name}</span>
          <code className="truncate font-mono text-xs text-soft">{prefix}…</code>
        </span>
      ),
    },
    {
      name: words.columns.scopes,
      wideOnly: true,
      cell: ({ scopes, sending_domains: domains, mode }) => (
        <span className="flex min-w-0 flex-col leading-tight">
          <span className="flex items-center gap-2">
            {scopes.map((scope) => words.scope[scope]).join(', ')}
            {mode === 'test' && <Badge tone="info">{words.modes.test}</Badge>}
          </span>
          {domains.length > 0 && <span className="truncate text-xs text-soft">{words.from(domains)}</span>}
        </span>
      ),
    },
    {
      name: words.columns.state,
      width: '6rem',
      cell: ({ state }) => <Badge tone={TONES[state]}>{words.states[state]}</Badge>,
    },
    { name: words.columns.used, wideOnly: true, cell: ({ last_used_at: at }) => <When at={at} /> },
    { name: words.columns.made, wideOnly: true, cell: ({ created_at: at }) => <When at={at} /> },
    { name: words.columns.by, wideOnly: true, cell: ({ created_by: by }) => by ?? words.byCommand },
    {
      name: words.columns.actions,
      width: '6rem',
      align: 'right',
      cell: (key) =>
        key.state === 'in_force' && (
          <Button look="quiet" aria-label={words.revokeOf(key.name)} onClick={() => setRevoking(key)}>
            {words.revoke}
          </Button>
        ),
    },
  ];
  const shown = keys.filter(({ state }) => withEnded || state === 'in_force');
  return (
    <div className="flex flex-col gap-3">
      <Table
        label={words.label}
        columns={columns}
        rows={allRows(shown)}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={KeyRound} title={words.empty}>
            {words.emptyLead}
          </Empty>
        }
      />
      {ended > 0 && (
        <Checkbox
          label={words.showEnded(ended)}
          checked={withEnded}
          onChange={(event) => setWithEnded(event.currentTarget.checked)}
        />
      )}
      {revoking !== null && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}
