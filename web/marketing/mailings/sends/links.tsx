import { Link2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { allRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { words } from '../../../words/mailings.ts';
import { CsvButton } from '../csv-button.tsx';
import { Clickers } from './clickers.tsx';
import { isOver, type Send } from './send.ts';

type Linked = Reply<'readLinksByUrl'>['data'][number];

const POLL_MS = 5_000;

/** Where the links of a send lead, and how many people followed them. */
export function Links({ send, mayNamePeople }: { send: Send; mayNamePeople: boolean }) {
  const [asked, setAsked] = useState<Linked | null>(null);
  const query = { campaign_mailing_send_id: send.id };
  const read = useRead('readLinksByUrl', { query }, isOver(send) ? {} : { pollMs: POLL_MS });
  const titles = words.linkColumns;
  const who: Column<Linked> = {
    name: titles.who,
    align: 'right',
    cell: (link) => (
      <Button look="quiet" aria-label={words.whoClickedOn(link.url)} onClick={() => setAsked(link)}>
        {words.whoClicked}
      </Button>
    ),
  };
  const columns: Column<Linked>[] = [
    { name: titles.url, cell: ({ url }) => url },
    { name: titles.clicks, align: 'right', cell: ({ clicks }) => clicks?.toLocaleString('en') },
    { name: titles.people, align: 'right', cell: ({ unique_clicks: people }) => people?.toLocaleString('en') },
    ...(mayNamePeople ? [who] : []),
  ];
  return (
    <Card
      title={words.links}
      actions={mayNamePeople && <CsvButton op="exportLinksByUrl" input={{ query }} what={words.links} />}
    >
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.linksTable}
            height="24rem"
            columns={columns}
            rows={allRows(data)}
            keyOf={({ url }) => url}
            empty={
              <Empty icon={Link2} title={words.noLinks}>
                {words.noLinksLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {asked !== null && <Clickers linkIds={asked.tracking_link_ids} url={asked.url} onClose={() => setAsked(null)} />}
    </Card>
  );
}
