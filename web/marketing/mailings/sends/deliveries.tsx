import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { EvidenceButton } from '../../../email/evidence-button.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import { CsvButton } from '../csv-button.tsx';
import { Explanation } from './explanation.tsx';
import { readSendSearch } from './search.ts';
import { isOver, type Send } from './send.ts';

type Delivery = Reply<'readDeliveriesTable'>['data'][number];

const SIZE = 50;
const POLL_MS = 10_000;
const TONES: Record<string, Tone> = {
  delivered: 'good',
  sent: 'good',
  bounced: 'bad',
  suppressed: 'warn',
  excluded: 'warn',
  uncertain: 'bad',
};

/** What became of each mail of a send, with the reason where somebody got none. */
export function Deliveries({ send }: { send: Send }) {
  const { state } = readSendSearch(useSearch({ strict: false }));
  const go = useNavigate();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<Delivery | null>(null);
  const over = isOver(send);
  const query = {
    campaign_mailing_send_id: send.id,
    ...(state === undefined ? {} : { state }),
    ...(search === '' ? {} : { search }),
  };
  const rows = usePagedRows({
    op: 'readDeliveriesTable',
    size: SIZE,
    input: (page) => ({ query: { ...query, page: String(page), items: String(SIZE) } }),
    read: (reply) => ({ rows: reply.data, count: reply.page_info.count }),
    pollMs: () => (over ? false : POLL_MS),
  });
  const wasOver = useRef(over);
  useEffect(() => {
    if (over && !wasOver.current) rows.refetch();
    wasOver.current = over;
  }, [over]);
  return (
    <Card
      title={words.deliveries}
      actions={<CsvButton op="exportDeliveriesTable" input={{ query }} what={words.deliveriesTable} />}
    >
      <form
        className="mb-3 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(typed.trim());
        }}
      >
        <Field label={words.stateFilter} className="w-48">
          <Select
            value={state ?? ''}
            onChange={({ target: { value } }) =>
              void go({
                to: '/marketing/mailings/sends/$sendId',
                params: { sendId: send.id },
                search: value === '' ? {} : { state: value },
                replace: true,
              })
            }
          >
            <option value="">{words.anyState}</option>
            {STATES.map((each) => (
              <option key={each} value={each}>
                {words.deliveryStates[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.findPerson} className="grow sm:max-w-xs">
          <Input type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Button type="submit">{words.personFind}</Button>
      </form>
      <Table
        label={words.deliveriesTable}
        height="32rem"
        columns={columnsFor(setAsked)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p className="text-sm text-soft">{words.noDeliveries}</p>}
      />
      {asked !== null && (
        <Dialog open onClose={() => setAsked(null)} title={words.why}>
          <Explanation
            mailingId={send.attributes.campaign_mailing_id}
            person={{ id: asked.subscriber_id, name: nameOf(asked) }}
          />
          {asked.attempts > 0 && <EvidenceButton op="exportCampaignMailingEvidence" id={asked.id} />}
        </Dialog>
      )}
    </Card>
  );
}

const STATES = Object.keys(words.deliveryStates).filter((state) => state !== 'not_meant');

function nameOf({ full_name: name, email }: Delivery): string {
  return name === '' ? (email ?? words.deletedPerson) : name;
}

function columnsFor(ask: (row: Delivery) => void): Column<Delivery>[] {
  const titles = words.deliveryColumns;
  return [
    {
      name: titles.person,
      cell: (row) => (
        <span className="flex flex-col leading-tight">
          <span className="truncate">{nameOf(row)}</span>
          {row.full_name !== '' && <span className="truncate text-xs text-soft">{row.email}</span>}
        </span>
      ),
    },
    {
      name: titles.state,
      cell: ({ state }) => <Badge tone={TONES[state] ?? 'plain'}>{words.deliveryStates[state] ?? state}</Badge>,
    },
    { name: titles.settled, wideOnly: true, cell: ({ settled_at: at }) => at !== null && <When at={at} /> },
    { name: titles.opened, wideOnly: true, cell: ({ opened_at: at }) => at !== null && <When at={at} /> },
    { name: titles.clicked, wideOnly: true, cell: ({ clicked_at: at }) => at !== null && <When at={at} /> },
    {
      name: titles.reason,
      align: 'right',
      cell: (row) => (
        <Button look="quiet" aria-label={words.whyOf(nameOf(row))} onClick={() => ask(row)}>
          {words.why}
        </Button>
      ),
    },
  ];
}
