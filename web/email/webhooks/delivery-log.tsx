import { RefreshCw, RotateCw, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { useChainedRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/webhooks.ts';
import { DeliveryBadge } from './delivery-badge.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { ReplayRange } from './replay-range.tsx';

type Row = Reply<'listWebhookDeliveries'>['data'][number];
type State = keyof typeof words.logStates;

const PAGE = 50;
const POLL_MS = 2_000;
/** What is due within this time is worth waiting for in front of the page. */
const SOON_MS = 30_000;

function columnsWith(open: (row: Row) => void): Column<Row>[] {
  return [
    { name: words.logColumns.number, width: '5rem', wideOnly: true, cell: ({ sequence }) => sequence },
    {
      name: words.logColumns.event,
      cell: (row) => (
        <span className="flex items-center gap-2">
          <button
            type="button"
            aria-label={words.openDelivery(row.event_name, row.sequence)}
            className="max-w-40 truncate py-1 font-medium text-brand underline-offset-2 hover:underline sm:max-w-none"
            onClick={() => open(row)}
          >
            {words.event(row.event_name)}
          </button>
          {row.test && <Badge tone="info">{words.isTest}</Badge>}
        </span>
      ),
    },
    { name: words.logColumns.state, cell: (row) => <DeliveryBadge {...row} /> },
    { name: words.logColumns.attempts, align: 'right', wideOnly: true, cell: ({ attempts }) => attempts },
    { name: words.logColumns.when, wideOnly: true, cell: ({ created_at: at }) => <When at={at} /> },
  ];
}

function isDueSoon({ state, next_attempt_at: at }: Row): boolean {
  return state === 'pending' && at !== null && new Date(at).getTime() - Date.now() < SOON_MS;
}

/** What was sent to a webhook, with every attempt, and the ways to send it again. */
export function DeliveryLog({ webhookId, mayEdit }: { webhookId: string; mayEdit: boolean }) {
  const [state, setState] = useState<State>('all');
  const [opened, setOpened] = useState<string | null>(null);
  const [replaying, setReplaying] = useState(false);
  const rows = useChainedRows({
    op: 'listWebhookDeliveries',
    input: (before) => ({ params: { id: webhookId }, query: { before, state: state === 'all' ? undefined : state } }),
    read: ({ data }) => ({ rows: data, next: data.length < PAGE ? null : String(data.at(-1)?.sequence) }),
    pollMs: (shown: readonly Row[]) => (shown.some(isDueSoon) ? POLL_MS : false),
  });
  const columns = useMemo(() => columnsWith(({ id }) => setOpened(id)), []);
  return (
    <Card
      title={words.log}
      lead={words.logLead}
      actions={
        <>
          <Button icon={RefreshCw} onClick={rows.refetch}>
            {words.refresh}
          </Button>
          {mayEdit && (
            <Button icon={RotateCw} onClick={() => setReplaying(true)}>
              {words.replayRange}
            </Button>
          )}
        </>
      }
    >
      <Field label={words.logState} className="mb-3 sm:max-w-60">
        <Select value={state} onChange={(event) => setState(event.target.value as State)}>
          {Object.entries(words.logStates).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Table
        label={words.logTable}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        height="30rem"
        empty={
          <Empty icon={ScrollText} title={state === 'all' ? words.logEmpty : words.noneInState}>
            {state === 'all' ? words.logEmptyLead : words.noneInStateLead}
          </Empty>
        }
      />
      {opened !== null && (
        <DeliveryDialog webhookId={webhookId} deliveryId={opened} mayEdit={mayEdit} onClose={() => setOpened(null)} />
      )}
      {replaying && <ReplayRange webhookId={webhookId} onClose={() => setReplaying(false)} />}
    </Card>
  );
}
